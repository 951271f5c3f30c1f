export const element = (name, words, className = "") => {
  const one = document.createElement(name);
  one.textContent = words;
  one.className = className;
  return one;
};
