import type { CallContext, FunctionTable, GoValue, TemplateFunction } from '../../go-template/index.ts'

/** The fields of an entry that a stage's template can read. */
export interface TemplateData {
  label(name: string): string | undefined
  labels(): Iterable<readonly [name: string, value: string]>
  line(): string
  timestampNs(): bigint
  /** Returns the time of the query, ns since 1970. */
  nowNs(): bigint
}

export interface EntryContext extends CallContext {
  readonly data: TemplateData
}

export type EntryFunction = TemplateFunction<EntryContext>
export type EntryFunctions = FunctionTable<EntryContext>

/** Returns a template function that takes `count` strings, the last of which may be piped. */
export function strings(count: number, call: (...texts: string[]) => GoValue): EntryFunction {
  return { parameters: Array.from({ length: count }, () => 'string'), call: (args) => call(...(args as string[])) }
}

/** Returns a template function that takes an integer and a string. */
export function numberAndString(call: (count: number, text: string, context: EntryContext) => GoValue): EntryFunction {
  return {
    parameters: ['int', 'string'],
    call: ([count, text], context) => call(Number(count), text as string, context),
  }
}
