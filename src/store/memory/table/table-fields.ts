import { ITEMS_PER_CHECKPOINT, type Turns } from '../../../base/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { GrowingDictionary, StoredDictionary } from '../dictionary/dictionary.ts'
import { FieldState } from '../field-state.ts'
import { OTHER_FIELDS, reservedFields } from '../other-fields.ts'
import { spareBytes } from '../spare-column.ts'
import type { MemoryTableOptions } from './table-options.ts'

/** Names that get a column in one table; those of reserved fields may add to them. */
const MAX_FIELDS = 16_384

/** The fields of a table: which of them have a column, and the dictionary of each. */
export class TableFields {
  readonly #states = new Map<string, FieldState>()
  /** Names that get a column; reserved ones may add to them. */
  readonly maxFields: number
  readonly #reserved: ReadonlySet<string>
  readonly #textField: string
  readonly #keptFields: ReadonlySet<string> | undefined
  readonly #skipped = new Set<string>()
  readonly #hasCodes: boolean
  readonly #isReadOnce: boolean

  constructor(definition: RecordTableDefinition, options: MemoryTableOptions) {
    this.maxFields = options.mostFields ?? MAX_FIELDS
    this.#reserved = reservedFields(definition)
    this.#textField = definition.textField
    this.#keptFields = options.keptFields
    this.#hasCodes = options.hasCodes ?? true
    this.#isReadOnce = options.isReadOnce === true
    const { placeField } = options
    if (placeField !== undefined) this.#states.set(placeField, new FieldState(placeField, false))
  }

  /** The state of a field, made when the name is new. */
  field(name: string): FieldState {
    const known = this.#states.get(name)
    if (known !== undefined) return known
    const made = new FieldState(name, this.#hasCodes && name !== this.#textField, this.#isReadOnce)
    this.#states.set(name, made)
    return made
  }

  /** Adds the fields of another table, whose dictionaries both then share. */
  share(other: TableFields): void {
    for (const [name, state] of other.#states) this.#states.set(name, state)
  }

  /** Names of the fields, stored ones included. */
  names(): Iterable<string> {
    return this.#states.keys()
  }

  /** Whether a field has a column or may still get one; the values of others share one (`OTHER_FIELDS`). */
  hasColumn(name: string): boolean {
    if (name === OTHER_FIELDS) return false
    return this.#states.size < this.maxFields || this.#states.has(name) || this.#reserved.has(name)
  }

  /** False for fields that the table does not store; their names are remembered. */
  keeps(name: string): boolean {
    if (this.#keptFields === undefined || this.#keptFields.has(name)) return true
    if (this.#skipped.size < MAX_FIELDS) this.#skipped.add(name)
    return false
  }

  /** Remembers names of fields that rows had in another thread. */
  meet(names: Iterable<string>): void {
    for (const name of names) this.keeps(name)
  }

  /** Names of fields that rows had and the table does not store. */
  get skipped(): ReadonlySet<string> {
    return this.#skipped
  }

  /** Dictionaries in memory, by field. Stored ones that no query has loaded are left out: they have not grown. */
  *dictionaries(): Generator<readonly [string, GrowingDictionary]> {
    for (const { name, dictionaryInMemory } of this.#states.values())
      if (dictionaryInMemory !== undefined) yield [name, dictionaryInMemory]
  }

  /** The dictionary of a field, made when the name is new. */
  dictionary(field: string): GrowingDictionary {
    return this.field(field).dictionary
  }

  /** Builds the hashes of dictionaries that were loaded; otherwise the next row that is added waits for them. */
  *indexDictionaries(): Turns<void> {
    for (const [, dictionary] of this.dictionaries()) while (!dictionary.entries.index(ITEMS_PER_CHECKPOINT)) yield
  }

  /** Stored dictionaries, to be set before the first row. `storesRows` is false where new rows are not written to files. */
  restoreDictionaries(dictionaries: Iterable<readonly [string, StoredDictionary]>, storesRows = true): void {
    for (const [name, stored] of dictionaries) this.field(name).restore(stored, storesRows)
  }

  /** Bytes of dictionaries in memory, which stay when rows leave. */
  get dictionaryBytes(): number {
    let bytes = 0
    for (const [, dictionary] of this.dictionaries()) bytes += dictionary.memoryBytes
    return bytes
  }

  /** Bytes of buffers that sealed tails left for the next ones. */
  get spareBytes(): number {
    let bytes = 0
    for (const { spare } of this.#states.values()) if (spare !== undefined) bytes += spareBytes(spare)
    return bytes
  }

  /** Frees the buffers that `spareBytes` counts. */
  dropSpare(): void {
    for (const state of this.#states.values()) state.spare = undefined
  }
}
