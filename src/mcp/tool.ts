import { z } from 'zod'
import type { Asking } from './ask.ts'
import { tables, type Rows, type Search } from './rows.ts'

/** A tool call with validated arguments. */
export interface ToolCall<A> {
  readonly args: A
  readonly asking: Asking
  /** Start of the time range as RFC 3339; the same for all pages. */
  readonly start: string
  readonly end: string
}

/** A planned call: its estimate and its rows, which are not read yet. */
export interface Planned {
  /** Upper bound of the rows that the call reads; `undefined` for calls that read no rows. */
  readonly estimate: QueryEstimate | undefined
  readonly rows: Rows
}

export interface QueryEstimate {
  /** Upper bound of the rows or samples that the run reads. */
  readonly rows: number
  /** Name of what `rows` counts, such as `rows of logs in the time range`. */
  readonly of: string
}

/** A tool: its arguments, and the function that turns a call into rows. */
export interface Tool<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  /** Description by which an agent chooses the tool. */
  readonly description: string
  readonly args: S
  /** True if a time range without an end ends now. Otherwise such a range also includes later times. */
  readonly endsNow?: boolean
  /** Plans the call; reads only the counts that the estimate needs. Rejects with CallFault. */
  plan(call: ToolCall<z.output<S>>): Promise<Planned>
}

export function defineTool<S extends z.ZodObject>(tool: Tool<S>): Tool {
  // The cast is safe: a call passes each tool the arguments that its own schema returned.
  return tool
}

const time = z.string().max(64).optional()

/** Arguments of the time range. */
export const rangeArgs = {
  start: time.describe('Start of the time range: RFC 3339, or relative as `now-1h`. Default: everything.'),
  end: time.describe('End of the time range, excluded. Default: everything.'),
}

export const tableArg = z
  .enum(tables)
  .default('logs')
  .describe('`logs`, `events` (of Kubernetes) or `traces` (one row a span).')

/** Maximum length of a query, UTF-16 units. A request body of maximum size has room for it and all other members. */
const QUERY_CHARS = 500_000

export const queryArg = z
  .string()
  .max(QUERY_CHARS)
  .describe('Query in the pipe language of Sluice, such as `level:error timeout | stats by (workload) count() as n`.')

/** Arguments that select rows. */
export const searchArgs = {
  query: queryArg.default('*'),
  table: tableArg,
  dialect: z.enum(['native', 'logsql']).default('native').describe('`logsql` for queries written for VictoriaLogs.'),
  ...rangeArgs,
}

/** Like `searchArgs` without `dialect`, for tools that append pipes that only the native dialect has. */
export const nativeArgs = { query: searchArgs.query, table: tableArg, ...rangeArgs }

export const numberArg = (min: number, max: number, preset: number, about: string) =>
  z.number().int().min(min).max(max).default(preset).describe(about)

/** Returns the search of a call, with another query text. */
export function searchOf(
  {
    args,
    start,
    end,
  }: Pick<
    ToolCall<{ readonly table: Search['table']; readonly dialect?: Search['dialect'] }>,
    'args' | 'start' | 'end'
  >,
  query: string,
): Search {
  return { table: args.table, dialect: args.dialect ?? 'native', query, start, end }
}
