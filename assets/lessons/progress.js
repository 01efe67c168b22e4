// How far a person has come: kept in this browser alone, and only if it lets us.
//
// {lesson's key: {screen, finished, screens: {number: {done, answer}}}}; an answer is what a
// prediction became: {question, said, truth, score, right, verdict}.

const KEY = "basinscope.lessons";

export function makeProgress() {
  let kept = load();

  function save() {
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing: progress lasts as long as the page.
    }
  }

  const of = (key) => kept[key] ?? { screen: 0, finished: false, screens: {} };
  const write = (key, values) => {
    kept = { ...kept, [key]: { ...of(key), ...values } };
    save();
  };
  return {
    of,
    at: (key, screen) => of(key).screens[screen] ?? null,
    visit: (key, screen) => write(key, { screen }),
    finish: (key) => write(key, { finished: true }),
    done: (key, screen, answer = null) =>
      write(key, { screens: { ...of(key).screens, [screen]: { done: true, answer } } }),
    undo(key, screen) {
      const { [screen]: _, ...others } = of(key).screens;
      write(key, { screens: others });
    },
    restart: (key) => write(key, { screen: 0, screens: {} }),
    forget() {
      kept = {};
      save();
    },
  };
}

function load() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    const whole = Object.entries(found ?? {}).filter(
      ([, one]) => Number.isInteger(one?.screen) && typeof one.screens === "object" && one.screens,
    );
    return Object.fromEntries(whole);
  } catch {
    return {};
  }
}
