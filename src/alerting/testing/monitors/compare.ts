/** Writes two lists below each other, each item on a line; `undefined` if they are equal. */
export function difference(what: string, expected: readonly string[], got: readonly string[]): string | undefined {
  const [wanted, found] = [expected.toSorted(), got.toSorted()]
  if (wanted.length === found.length && wanted.every((line, i) => line === found[i])) return undefined
  const lines = (list: readonly string[]): string =>
    list.length === 0 ? '    nothing' : list.map((line) => `    ${line}`).join('\n')
  return `${what}\n  expected\n${lines(wanted)}\n  got\n${lines(found)}`
}
