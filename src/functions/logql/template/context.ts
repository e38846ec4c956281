import type { CallContext, FunctionTable, GoValue, TemplateFunction } from '../../go-template/index.ts'

/** Fields of an entry that the template of a stage reads. */
export interface TemplateData {
  label(name: string): string | undefined
  labels(): Iterable<readonly [name: string, value: string]>
  line(): string
  timestampNs(): bigint
  /** Time of the query. */
  nowNs(): bigint
}

export interface EntryContext extends CallContext {
  readonly data: TemplateData
}

export type EntryFunction = TemplateFunction<EntryContext>
export type EntryFunctions = FunctionTable<EntryContext>

/** Defines a function of strings, the last of which may come through a pipe. */
export function strings(count: number, call: (...texts: string[]) => GoValue): EntryFunction {
  return { parameters: Array.from({ length: count }, () => 'string'), call: (args) => call(...(args as string[])) }
}

/** Defines a function of a whole number and a string. */
export function numberAndString(call: (count: number, text: string, context: EntryContext) => GoValue): EntryFunction {
  return {
    parameters: ['int', 'string'],
    call: ([count, text], context) => call(Number(count), text as string, context),
  }
}
