// How the card looks; its colours are the page's own.

export const STYLE = `
:host { font: 400 1rem / 1.45 var(--font, sans-serif); color: var(--text-color); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.ring {
  position: fixed; z-index: 999990; pointer-events: none; border: 3px solid var(--primary-color); border-radius: 0.6rem;
}
.card {
  position: fixed; z-index: 999995; width: min(22rem, calc(100vw - 28px)); padding: 1rem 1.1rem;
  background: var(--background-color); border: 1px solid var(--border-color); border-radius: 0.6rem;
  box-shadow: 0 0.4rem 1.6rem rgb(0 0 0 / 25%);
}
.card:focus { outline: none; }
.card:focus-visible { outline: 3px solid var(--primary-color); outline-offset: 2px; }
.count { margin: 0; font-size: 0.85rem; }
h2 { margin: 0.15rem 0 0.4rem; font: 600 1.25rem / 1.3 var(--heading-font, serif); }
#words { margin: 0 0 0.9rem; }
.bar { display: flex; gap: 0.5rem; align-items: center; }
.skip { margin-right: auto; }
button {
  font: inherit; font-size: 0.9rem; color: inherit; background: none; cursor: pointer;
  border: 1px solid var(--border-color); border-radius: 0.375rem; min-height: 2.25rem; padding: 0.2rem 0.8rem;
}
button:hover { border-color: var(--primary-color); }
button.skip { border-color: transparent; padding-inline: 0; text-decoration: underline; }
button.next { margin-left: auto; }
.skip:not([hidden]) ~ .next { margin-left: 0; }
button.primary { color: var(--background-color); background: var(--primary-color); border-color: var(--primary-color); }
button:focus-visible { outline: 3px solid var(--primary-color); outline-offset: 2px; }
`;
