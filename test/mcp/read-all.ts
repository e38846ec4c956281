import type { Tool, ToolAnswer } from '../../src/mcp/index.ts'

/** Runs one tool call. The caller checks the size of the answer. */
export type Run = (args: object) => Promise<ToolAnswer>

/** A row as pairs of field name and value. Values that are not strings are in JSON. */
export type ReadRow = readonly (readonly [string, string])[]

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const MARK = '…'

interface Place {
  readonly row: number
  readonly field: number
  readonly isName: boolean
}

function placeOf(handle: string): Place {
  const [row, field, , part] = handle.split('.')
  return { row: Number(row), field: Number(field), isName: part === 'n' }
}

/**
 * Reads a truncated value completely: follows the handles, concatenates the parts, and removes the truncation marks.
 */
async function wholeText(run: Run, args: object, shown: string, first: string): Promise<string> {
  let text = shown
  let handle: string | undefined = first
  while (handle !== undefined) {
    if (!text.endsWith(MARK)) throw new Error(`a cut text has no mark: ${JSON.stringify(text.slice(-20))}`)
    const { data, cut }: ToolAnswer = await run({ ...args, handle })
    const [piece] = Object.values(data[0] ?? {})
    if (typeof piece !== 'string' || piece === '') throw new Error('a handle led to nothing')
    text = text.slice(0, -MARK.length) + piece
    handle = cut[0]?.handle
  }
  return text
}

/**
 * Returns all rows that a call finds, following its handles until nothing is cut. Throws if something was cut without a
 * mark.
 */
export async function readAll(run: Run, args: object): Promise<ReadRow[]> {
  const rows: (readonly [string, string])[][] = []
  const pending: (object & { readonly handle?: string })[] = [args]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const answer = await run(next)
    if (answer.error !== undefined) throw new Error(`${answer.error} ${JSON.stringify(answer.data)}`)
    const from = next.handle === undefined ? { row: 0, field: 0 } : placeOf(next.handle)
    const found = answer.data.map((row) => Object.entries(row))
    const total = Number(/ of (\d+)$/.exec(answer.rows ?? '')?.[1])
    for (const { shown, handle } of answer.cut) {
      const place = placeOf(handle)
      if (shown.endsWith(' rows') || shown.endsWith(' fields')) {
        pending.push({ ...args, handle })
        continue
      }
      const row = found[place.row - from.row]
      const at = place.field - (place.row === from.row ? from.field : 0)
      const entry = row?.[at]
      if (row === undefined || entry === undefined) throw new Error(`${handle} is about nothing shown`)
      const [name, value] = entry
      row[at] = place.isName
        ? [await wholeText(run, args, name.replace(new RegExp(`${MARK}${place.field}$`), MARK), handle), value]
        : [name, await wholeText(run, args, textOf(value), handle)]
    }
    for (const [index, row] of found.entries()) {
      const known = (rows[from.row + index] ??= [])
      for (const [name, value] of row) known.push([name, textOf(value)])
    }
    const isWhole = next.handle === undefined && !answer.cut.some(({ shown }) => shown.endsWith(' rows'))
    if (isWhole && total !== answer.data.length) throw new Error(`rows are missing: ${answer.rows}`)
  }
  return rows
}

export type { Tool }
