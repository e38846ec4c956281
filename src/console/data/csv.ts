import { namesOf, parsedRow, shownValue } from './shown-row.ts'

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Yields a CSV table with all fields of the rows, in chunks. */
export function* csvOf(count: number, line: (row: number) => string): Generator<string> {
  const names = new Set<string>()
  for (let i = 0; i < count; i++) for (const name of namesOf(line(i))) names.add(name)
  yield `${[...names].map(csvCell).join(',')}\r\n`
  for (let i = 0; i < count; i++) {
    const row = parsedRow(line(i))
    const cells = [...names].map((name) => csvCell(shownValue(name, row[name] ?? null, Infinity).text))
    yield `${cells.join(',')}\r\n`
  }
}
