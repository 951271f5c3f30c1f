// Sharing, which loads when it is asked for: the dialog that creates a link, and opening one.
import { command, holdKeys } from "../commands/commands.js";

const share = () =>
  holdKeys(import("./share.js").then((sheet) => sheet.open())).catch(() => {
    document.getElementById("text-note").textContent = "Can’t reach the server.";
  });
document.getElementById("open-share").addEventListener("click", share);
command({ words: "Share link…", group: "Messages", run: share });

const isLink = (fragment) => /^#(?:share|text)=/.test(fragment);
const openLink = async () => {
  if (isLink(location.hash)) (await import("./opening.js")).openLink();
};
addEventListener("hashchange", openLink);
openLink();
