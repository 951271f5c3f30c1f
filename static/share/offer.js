// Sharing, which loads when it is asked for: the dialog that creates a link, and opening one.
import { sayUnloaded } from "../base/away.js";
import { command, holdKeys } from "../commands/commands.js";

const share = () => holdKeys(import("./share.js").then((sheet) => sheet.open())).catch(sayUnloaded);
document.getElementById("open-share").addEventListener("click", share);
command({ words: "Share link…", group: "Messages", run: share });

const isLink = (fragment) => /^#(?:share|text)=/.test(fragment);
const openLink = async () => {
  if (!isLink(location.hash)) return;
  await import("./opening.js").then((opening) => opening.openLink(), sayUnloaded);
};
addEventListener("hashchange", openLink);
openLink();
