// The component that carries what changes: it shows nothing and hands its data on.

import { post } from "./mail.js";

export function mount({ data }) {
  post(data.address, data.letter);
}
