import type { Column } from '../../../data/index.ts'
import type { ColumnSource } from '../column-source.ts'
import type { StoredColumnContents } from '../layout.ts'
import type { WantedPiece } from '../wanted-pieces.ts'
import { codesColumn } from './codes.ts'
import { doublesColumn } from './doubles.ts'
import { integersColumn } from './integers.ts'
import { mixedColumn } from './mixed.ts'
import { sparseColumn } from './sparse.ts'
import { textsColumn } from './texts.ts'
import { timesColumn } from './times.ts'

/** A column in a file. */
export type ReadColumn = Column & {
  /**
   * Prefetches the data that these rows need. Returns true if some of it is not in memory yet. Throws SluiceError
   * `durable/damaged`.
   */
  readAhead?(rows: Uint32Array): boolean
  /** Returns the pieces that must be read for these rows. Throws SluiceError `durable/damaged`. */
  wanted?(rows: Uint32Array): Iterable<WantedPiece>
}

/** Returns a column whose arrays are read on demand. */
export function storedColumn(source: ColumnSource, name: string, stored: StoredColumnContents): ReadColumn {
  switch (stored.kind) {
    case 'dictionary':
      return codesColumn(source, name, stored)
    case 'float64':
      return doublesColumn(source, stored)
    case 'int64':
      return integersColumn(source, stored)
    case 'time':
      return timesColumn(source, stored)
    case 'text':
      return textsColumn(source, stored)
    case 'mixed':
      return mixedColumn(source, stored)
    case 'sparse':
      return sparseColumn(source, stored, storedColumn(source, name, stored.present))
    default:
      throw source.file.damaged(`its field \`${name}\` has a column of an unknown kind`)
  }
}
