// Undo and redo over plain values.
export function makeHistory(first) {
  let [past, now, future] = [[], first, []];
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  return {
    get now() {
      return now;
    },
    get canUndo() {
      return past.length > 0;
    },
    get canRedo() {
      return future.length > 0;
    },
    // Returns whether anything changed.
    commit(model) {
      if (same(model, now)) return false;
      [past, now, future] = [[...past.slice(-199), now], model, []];
      return true;
    },
    undo() {
      if (past.length) [past, now, future] = [past.slice(0, -1), past.at(-1), [now, ...future]];
      return now;
    },
    redo() {
      if (future.length) [past, now, future] = [[...past, now], future[0], future.slice(1)];
      return now;
    },
  };
}
