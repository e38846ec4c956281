import { InvariantError } from '../../base/index.ts'
import type { CompileTable, TableFunction } from '../definition.ts'

/**
 * Defines a function that only the backend that stores the rows can run. Its documentation is that of the pipe with the
 * same name.
 */
function physicalFunction(
  name: string,
  kernel: NonNullable<TableFunction['kernel']>,
  physical: NonNullable<TableFunction['physical']>,
  summary: string,
  fieldColumn?: string,
): TableFunction {
  return {
    name,
    physical,
    ...(fieldColumn === undefined ? {} : { fieldColumn }),
    kernel,
    doc: { summary, parameters: [], examples: [] },
  }
}

export const blockStats = physicalFunction(
  'block_stats',
  'block-stats',
  'stored-rows',
  'How each field is stored.',
  'field',
)
export const blocksCount = physicalFunction('blocks_count', 'blocks-count', 'stored-rows', 'How many blocks have rows.')
export const queryStats = physicalFunction('query_stats', 'query-stats', 'reading', 'What the query has read.')

export function compilePhysical({ name }: TableFunction): CompileTable {
  return () => {
    throw new InvariantError(`${name} is answered by the backend that stores the rows`)
  }
}
