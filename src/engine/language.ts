import {
  standardFunctions,
  userRowFunction,
  userTableFunction,
  type Functions,
  type RowImplementation,
  type TableImplementation,
} from '../functions/index.ts'
import { argumentsFrom, vocabularyOf, type CustomPipeDefinition, type Vocabulary } from '../lang/log/index.ts'
import { extensionOptions } from './options.ts'
import { extended, functionOfPipe, type Extension } from './extend.ts'

/** A vocabulary, and the code of its functions. Backends that are created separately must get the same functions. */
export interface Language {
  readonly vocabulary: Vocabulary
  readonly functions: Functions
}

function rowFunctionOf(definition: CustomPipeDefinition): readonly RowImplementation[] {
  const { body } = definition
  if (!('rows' in body)) return []
  const { rows, fields, isOneToOne = false } = body
  return [
    userRowFunction(functionOfPipe(definition), {
      isOneToOne,
      make: (params) => rows(argumentsFrom(definition, params)),
      fields: (params) => {
        const declared = fields?.(argumentsFrom(definition, params))
        return declared && { reads: declared.reads, writes: Object.keys(declared.writes) }
      },
    }),
  ]
}

function tableFunctionOf(definition: CustomPipeDefinition): readonly TableImplementation[] {
  const { body } = definition
  if (!('tables' in body)) return []
  const { tables } = body
  return [userTableFunction(functionOfPipe(definition), (params) => tables(argumentsFrom(definition, params)))]
}

/**
 * Returns the language extended by a user's definitions. Throws `log/bad-definition` for a name that is already in use,
 * or is defined twice.
 */
export function languageOf(extension: Extension, functions: Functions = standardFunctions): Language {
  extensionOptions.check(extension, '`languageOf`')
  const { pipes = [], scalars = [], stats = [] } = extension
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
