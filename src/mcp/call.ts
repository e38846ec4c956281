import { z } from 'zod'
import { SluiceError, always, formatRfc3339, nearestNames } from '../base/index.ts'
import { atNow, moment } from '../wire/index.ts'
import { Asking, type Ask } from './ask.ts'
import { CallFault } from './fault.ts'
import { Handles, start as atStart, type Range } from './handle.ts'
import { ANSWER_BYTES, MAX_ANSWER_BYTES, MIN_ANSWER_BYTES, type Ceilings } from './limits.ts'
import type { Rows } from './rows.ts'
import type { QueryEstimate, Tool } from './tool.ts'
import { Window, jsonBytes, type Cut, type Row } from './window.ts'

/** The caller of a tool: its access to the API, its ceilings, and the clock. */
export interface ToolCaller {
  readonly ask: Ask
  readonly ceilings: Ceilings
  readonly nowNs: () => bigint
}

/**
 * Answer of a tool. Only `data` has text that depends on stored data or on arguments; everything else is fixed text of
 * the server. This lets an agent tell instructions from data.
 */
export interface ToolAnswer {
  readonly tool: string
  /** Reason why there are no rows; `data` has the messages of the server. */
  readonly error?: string
  readonly estimate?: QueryEstimate & { readonly ceilings: Ceilings }
  /** Range of the rows in the answer, such as `0 to 39 of 1200`; `3, another part` means one part of row 3. */
  readonly rows?: string
  /** Everything that was left out, each with a handle by which the agent can request it. */
  readonly cut: readonly Cut[]
  readonly data: readonly object[]
}

/** Arguments for paging, which every tool has. They do not select rows. */
const pageArgs = {
  handle: z
    .string()
    .max(200)
    .optional()
    .describe('Reads on: a handle of `cut` in an earlier answer, with the same other arguments.'),
  bytes: z
    .number()
    .int()
    .min(MIN_ANSWER_BYTES)
    .max(MAX_ANSWER_BYTES)
    .default(ANSWER_BYTES)
    .describe('Bytes of the answer at most.'),
}

/** Returns the schema of all arguments of a tool, paging included. */
export function argsOf({ args }: Tool): z.ZodObject {
  return args.extend(pageArgs)
}

/** Maximum length of an argument that an error message echoes, UTF-16 units. */
const ECHO_CHARS = 60

/** Describes one validation error of the arguments in a sentence. */
function issueText({ code, path, message, ...issue }: z.core.$ZodIssue, known: readonly string[]): string {
  if (code !== 'unrecognized_keys') return `\`${path.join('.')}\`: ${message}.`
  const { keys } = issue as { readonly keys: readonly string[] }
  return keys
    .map((key) => {
      const [near] = nearestNames(key, known, 1)
      const help = near === undefined ? `The arguments are ${known.join(', ')}.` : `Did you mean \`${near}\`?`
      return `There is no argument \`${key.slice(0, ECHO_CHARS)}\`. ${help}`
    })
    .join(' ')
}

function checked(tool: Tool, given: unknown): Readonly<Record<string, unknown>> {
  const schema = argsOf(tool)
  const parsed = schema.safeParse(given ?? {})
  if (parsed.success) return parsed.data
  const known = Object.keys(schema.shape)
  const wrong = parsed.error.issues.map((issue) => ({ message: issueText(issue, known) }))
  throw new CallFault('The arguments are wrong; `data` says which and what to do.', wrong)
}

const rangeSchema = z.object({ start: moment().optional(), end: moment().optional() })

/** Parses the time range of the arguments. Throws CallFault for an invalid time. */
function rangeOf({ start, end }: Readonly<Record<string, unknown>>, nowNs: bigint, endsNow: boolean): Range {
  try {
    const times = atNow(rangeSchema.parse({ start, end }), nowNs)
    return { startNs: times.start ?? always.startNs, endNs: times.end ?? (endsNow ? nowNs : always.endNs) }
  } catch (error) {
    const wrong =
      error instanceof z.ZodError
        ? error.issues.map((issue) => ({ message: issueText(issue, []) }))
        : error instanceof SluiceError
          ? error.diagnostics.map(({ message }) => ({ message }))
          : undefined
    if (wrong === undefined) throw error
    throw new CallFault('The time range is wrong; `data` says why.', wrong)
  }
}

/** Bytes of an answer without its rows: the member names, and the text of `rows`. */
const FRAME_BYTES = 160

/**
 * Bytes of the shortest row as JSON, with a comma. A query is limited to as many rows of this size as fit in an answer.
 */
const ROW_BYTES = 8

async function filled(rows: Rows, window: Window, first: number, bytes: number): Promise<string> {
  const limit = window.isInsideRow ? 1 : Math.ceil(bytes / ROW_BYTES)
  let isFull = false
  for await (const row of rows.from(first, limit)) {
    isFull = !window.add(row)
    if (isFull || window.isInsideRow) break
  }
  if (window.isInsideRow) {
    if (window.data.length === 0) throw new CallFault('The row of `handle` is gone. Call again without it.')
    return `${first}, another part`
  }
  const shown = window.data.length
  const total = isFull || shown === limit ? await rows.count() : first + shown
  // Rows may have arrived since the query, so the count may differ from the rows that the query found.
  if (isFull || total > first + shown) window.cutRows(Math.max(total, first + shown + Number(isFull)))
  return shown === 0 ? `0 of ${total}` : `${first} to ${first + shown - 1} of ${Math.max(total, first + shown)}`
}

async function answered(
  tool: Tool,
  given: unknown,
  { ask, ceilings, nowNs }: ToolCaller,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { handle, bytes, ...args } = checked(tool, given) as { handle?: string; bytes: number }
  const handles = new Handles(tool.name, args)
  const asked = rangeOf(args, nowNs(), tool.endsNow === true)
  const { position, range } = handle === undefined ? { position: atStart, range: asked } : handles.parse(handle)
  const asking = new Asking(ask, ceilings, signal)
  const start = formatRfc3339(range.startNs)
  const end = formatRfc3339(range.endNs)
  const { estimate, rows } = await tool.plan({ args, asking, start, end })
  const head = { tool: tool.name, ...(estimate && { estimate: { ...estimate, ceilings } }) }
  const left = bytes - jsonBytes(head) - FRAME_BYTES
  const window = new Window(position, left, (at) => handles.print(at, range))
  const shown = await filled(rows, window, position.row, left)
  return { ...head, rows: shown, cut: window.cuts, data: window.data }
}

/** Maximum size of the messages of a refusal, bytes. */
const REFUSAL_BYTES = MIN_ANSWER_BYTES - 1000

function refused(tool: string, { message, data }: CallFault): ToolAnswer {
  // Messages of a refusal are short or repeat the arguments, so no handles are needed to continue them.
  const window = new Window(atStart, REFUSAL_BYTES, () => '')
  const rows = data.map((each): Row => ({ ...each }))
  const shown = rows.findIndex((row) => !window.add(row))
  const cut = [
    ...window.cuts.map((each) => ({ ...each, handle: 'none: correct the arguments first' })),
    ...(shown === -1
      ? []
      : [{ shown: `${shown} of ${rows.length} rows`, handle: 'none: correct the arguments first' }]),
  ]
  return { tool, error: message, cut, data: window.data }
}

/** Runs one tool call. A refusal becomes an answer with `error`; rejects only for internal errors. */
export async function runTool(tool: Tool, args: unknown, caller: ToolCaller, signal: AbortSignal): Promise<ToolAnswer> {
  try {
    return await answered(tool, args, caller, signal)
  } catch (error) {
    if (error instanceof CallFault) return refused(tool.name, error)
    throw error
  }
}
