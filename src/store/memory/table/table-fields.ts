import { ITEMS_PER_CHECKPOINT, type StepwiseTask } from '../../../base/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { GrowingDictionary, StoredDictionary } from '../dictionary/dictionary.ts'
import { FieldState } from '../field-state.ts'
import { OTHER_FIELDS, reservedFields } from '../other-fields.ts'
import { spareBytes } from '../spare-column.ts'
import type { MemoryTableOptions } from './table-options.ts'

/** Maximum number of fields with a column in one table, by default. Reserved fields may exceed it. */
const MAX_FIELDS = 16_384

/** The fields of a table: which have a column, and their dictionaries. */
export class TableFields {
  readonly #states = new Map<string, FieldState>()
  /** Maximum number of fields with a column. Reserved fields may exceed it. */
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
    const { positionField } = options
    if (positionField !== undefined) this.#states.set(positionField, new FieldState(positionField, false))
  }

  /** Returns the state of a field; creates the state for a new name. */
  field(name: string): FieldState {
    const known = this.#states.get(name)
    if (known !== undefined) return known
    const made = new FieldState(name, this.#hasCodes && name !== this.#textField, this.#isReadOnce)
    this.#states.set(name, made)
    return made
  }

  /** Adds the fields of another table, so that both tables share the dictionaries. */
  share(other: TableFields): void {
    for (const [name, state] of other.#states) this.#states.set(name, state)
  }

  /** Returns the names of all fields, including those whose dictionary is stored and not loaded. */
  names(): Iterable<string> {
    return this.#states.keys()
  }

  /**
   * True if a field has a column or can still get one. Values of other fields are stored in the column `OTHER_FIELDS`.
   */
  hasColumn(name: string): boolean {
    if (name === OTHER_FIELDS) return false
    return this.#states.size < this.maxFields || this.#states.has(name) || this.#reserved.has(name)
  }

  /** Returns true if the table stores a field. Records the name if not. */
  keeps(name: string): boolean {
    if (this.#keptFields === undefined || this.#keptFields.has(name)) return true
    if (this.#skipped.size < MAX_FIELDS) this.#skipped.add(name)
    return false
  }

  /** Records names of fields that occurred in rows of another thread. */
  meet(names: Iterable<string>): void {
    for (const name of names) this.keeps(name)
  }

  /** Names of fields that occurred in rows but are not stored by the table. */
  get skipped(): ReadonlySet<string> {
    return this.#skipped
  }

  /**
   * Yields the dictionaries in memory by field. Stored dictionaries that were not loaded are omitted: they cannot have
   * grown.
   */
  *dictionaries(): Generator<readonly [string, GrowingDictionary]> {
    for (const { name, dictionaryInMemory } of this.#states.values())
      if (dictionaryInMemory !== undefined) yield [name, dictionaryInMemory]
  }

  /** Returns the dictionary of a field; creates the dictionary for a new name. */
  dictionary(field: string): GrowingDictionary {
    return this.field(field).dictionary
  }

  /** Builds the hash indexes of loaded dictionaries, so that the next added row does not wait for them. */
  *indexDictionaries(): StepwiseTask<void> {
    for (const [, dictionary] of this.dictionaries()) while (!dictionary.entries.index(ITEMS_PER_CHECKPOINT)) yield
  }

  /**
   * Sets the stored dictionaries of fields. Must be called before the first row is added. `storesRows` is false if new
   * rows are not written to files.
   */
  restoreDictionaries(dictionaries: Iterable<readonly [string, StoredDictionary]>, storesRows = true): void {
    for (const [name, stored] of dictionaries) this.field(name).restore(stored, storesRows)
  }

  /** The bytes of dictionaries in memory. Removing rows does not free them. */
  get dictionaryBytes(): number {
    let bytes = 0
    for (const [, dictionary] of this.dictionaries()) bytes += dictionary.memoryBytes
    return bytes
  }

  /** The bytes of buffers that sealed tails left for later ones. */
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
