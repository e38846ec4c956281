import type { JsonValue } from '../base/index.ts'
import {
  Registry,
  standardFunctions,
  userRowFunction,
  userTableFunction,
  type FunctionDoc,
  type Functions,
  type RowFunction,
  type ScalarFunction,
  type StatsFunction,
  type TableFunction,
} from '../functions/index.ts'
import type { Lint, Rule } from '../optimize/index.ts'
import { argumentsFrom, vocabularyOf, type CustomPipeDefinition, type Vocabulary } from '../lang/log/index.ts'

/** What a user adds to the language; nothing is registered anywhere else. */
export interface Extension {
  readonly pipes?: readonly CustomPipeDefinition[]
  readonly scalars?: readonly ScalarFunction[]
  readonly stats?: readonly StatsFunction[]
  /** Run behind the standard rules; what they make is checked each time. */
  readonly rules?: readonly Rule[]
  readonly lints?: readonly Lint[]
}

/** The words of a language and what they compute. Backends that are made by hand need the same functions. */
export interface Language {
  readonly vocabulary: Vocabulary
  readonly functions: Functions
}

function docOf({ doc }: CustomPipeDefinition): FunctionDoc {
  return { summary: doc.summary, parameters: [], examples: doc.examples.map(({ query }) => ({ query })) }
}

function fieldParamsOf({ arguments: args }: CustomPipeDefinition): readonly string[] {
  return args.filter(({ type }) => type === 'field' || type === 'fields').map(({ name }) => name)
}

function rowFunctionOf(definition: CustomPipeDefinition): readonly RowFunction<JsonValue>[] {
  const { body, name } = definition
  if (!('rows' in body)) return []
  const { rows, fields, isOneToOne = false } = body
  return [
    userRowFunction({
      name,
      fieldParams: fieldParamsOf(definition),
      doc: docOf(definition),
      isOneToOne,
      make: (params) => rows(argumentsFrom(definition, params)),
      fields: (params) => {
        const declared = fields?.(argumentsFrom(definition, params))
        return declared && { reads: declared.reads, writes: Object.keys(declared.writes) }
      },
    }),
  ]
}

function tableFunctionOf(definition: CustomPipeDefinition): readonly TableFunction<JsonValue>[] {
  const { body, name } = definition
  if (!('tables' in body)) return []
  const { tables } = body
  return [
    userTableFunction({
      name,
      fieldParams: fieldParamsOf(definition),
      doc: docOf(definition),
      make: (params) => tables(argumentsFrom(definition, params)),
    }),
  ]
}

function extended<D extends { readonly name: string }>(known: Registry<D>, more: readonly D[]): Registry<D> {
  return more.length === 0 ? known : new Registry([...known.all, ...more])
}

/**
 * The language with a user's definitions. Throws `log/bad-definition` for a name that means something already, or two
 * things.
 */
export function languageOf(
  { pipes = [], scalars = [], stats = [] }: Extension,
  functions: Functions = standardFunctions,
): Language {
  if (pipes.length + scalars.length + stats.length === 0) return { vocabulary: vocabularyOf({}), functions }
  return {
    vocabulary: vocabularyOf({ pipes, scalars, stats }),
    functions: {
      scalar: extended(functions.scalar, scalars),
      stats: extended(functions.stats, stats),
      rows: extended(functions.rows, pipes.flatMap(rowFunctionOf)),
      tables: extended(functions.tables, pipes.flatMap(tableFunctionOf)),
    },
  }
}
