// Which workspace this browser is: an id of its own in a cookie, so that history and running jobs
// are found again. It answers only where Python's id is not the browser's, or cookies are refused.

const NAME = "basinscope_workspace";
const YEAR = 365 * 24 * 3600; // seconds

const kept = () =>
  document.cookie
    .split("; ")
    .find((each) => each.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);

export default function ({ data, setStateValue }) {
  const id = kept() ?? data.id;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // Written at each visit, so that the year begins anew.
  document.cookie = `${NAME}=${id}; Path=/; Max-Age=${YEAR}; SameSite=Strict${secure}`;
  const lasting = kept() === id;
  if (id !== data.id || !lasting) setStateValue("browser", { id, lasting });
}
