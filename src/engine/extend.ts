import {
  Registry,
  standardDefinitions,
  type FunctionDefinitions,
  type RowFunction,
  type ScalarFunction,
  type StatsImplementation,
} from '../functions/index.ts'
import type { Lint, Rule } from '../optimize/index.ts'
import { vocabularyOf, type CustomPipeDefinition, type Vocabulary } from '../lang/log/index.ts'

/** Definitions that a user adds to one engine. */
export interface Extension {
  readonly pipes?: readonly CustomPipeDefinition[]
  readonly scalars?: readonly ScalarFunction[]
  readonly stats?: readonly StatsImplementation[]
  /** Rules that run after the standard ones. The plans that they return are always checked. */
  readonly rules?: readonly Rule[]
  readonly lints?: readonly Lint[]
}

/** The vocabulary and the function definitions, which suffice to plan a query. */
export interface PlannedLanguage {
  readonly vocabulary: Vocabulary
  readonly functions: FunctionDefinitions
}

/** Returns the row function that represents a user-defined pipe in plans. */
export function functionOfPipe({ name, doc, arguments: args }: CustomPipeDefinition): RowFunction {
  return {
    name,
    fieldParams: args.filter(({ type }) => type === 'field' || type === 'fields').map((each) => each.name),
    doc: { summary: doc.summary, parameters: [], examples: doc.examples.map(({ query }) => ({ query })) },
  }
}

export function extended<D extends { readonly name: string }>(known: Registry<D>, more: readonly D[]): Registry<D> {
  return more.length === 0 ? known : new Registry([...known.all, ...more])
}

/**
 * Returns the language extended by a user's definitions, without the code of functions. Throws `log/bad-definition` for
 * a name that is already in use, or is defined twice.
 */
export function plannedLanguageOf(
  { pipes = [], scalars = [], stats = [] }: Extension,
  functions: FunctionDefinitions = standardDefinitions,
): PlannedLanguage {
  const pipesWith = (body: string): RowFunction[] => pipes.filter((pipe) => body in pipe.body).map(functionOfPipe)
  return {
    vocabulary: vocabularyOf({ pipes, scalars, stats }),
    functions: {
      scalar: extended(functions.scalar, scalars),
      stats: extended(functions.stats, stats),
      rows: extended(functions.rows, pipesWith('rows')),
      tables: extended(functions.tables, pipesWith('tables')),
    },
  }
}
