import { ITEMS_PER_CHECKPOINT, Bytes, firstBy, work, type Meter } from '../../../base/index.ts'
import {
  columnOfValues,
  compareFolded,
  encodeText,
  foldNumbers,
  hasBit,
  textOfFolded,
  toText,
  valueAt,
  type Column,
  type TextColumn,
  type Value,
} from '../../../data/index.ts'
import { chargedValue, templateList, type Template } from '../../../functions/index.ts'
import { KeyTable, type PartialKeyTable } from '../keys/key-table.ts'
import { PairNumbers, type Pairs } from '../keys/pair-numbers.ts'
import { FEW_ROWS_ONE_IN } from '../tuning.ts'
import { grown, type GroupedRows, type Kernel, type KernelPartials } from './kernel.ts'

/** The templates so far as plain data: pairs of group and template, and the number of rows of each pair. */
interface CountedTemplates {
  readonly templates: PartialKeyTable
  readonly pairs: Pairs
  readonly hits: Float64Array
}

const nothing = { bytes: Bytes.alloc(0), offsets: new Uint32Array(0) }

/**
 * Counts the templates of one text field in each group. Strings are folded as bytes; only templates in the answer are
 * decoded.
 */
export class PatternKernel implements Kernel {
  readonly #name: string
  readonly #limit: number
  readonly #meter: Meter
  /** The distinct templates, as folded strings. */
  #templates = new KeyTable()
  /** The pairs of group and template that occur, and the number of rows of each. */
  #pairs = new PairNumbers()
  #hits: Float64Array = new Float64Array(1)

  constructor(name: string, limit: number | undefined, meter: Meter) {
    this.#name = name
    this.#limit = limit ?? Infinity
    this.#meter = meter
  }

  reserve(): void {}

  add(grouped: GroupedRows): void {
    const column = grouped.segment.columns.get(this.#name)?.column
    if (column?.kind === 'text') this.#addTexts(grouped, column)
    else if (column !== undefined) this.#addValues(grouped, column)
  }

  #addTexts({ rows, groups, length }: GroupedRows, column: TextColumn): void {
    const { validity } = column
    const reader = length * FEW_ROWS_ONE_IN < column.length ? column.reader : undefined
    const { bytes, offsets } = reader === undefined ? column : nothing
    for (let i = 0; i < length; i++) {
      const row = rows[i]
      if (validity !== undefined && !hasBit(validity, row)) continue
      if (reader === undefined) this.#addText(groups[i], bytes, offsets[row], offsets[row + 1])
      else {
        const text = reader.at(row)
        this.#addText(groups[i], text.bytes, text.start, text.end)
      }
    }
  }

  #addValues({ rows, groups, length }: GroupedRows, column: Column): void {
    for (let i = 0; i < length; i++) {
      const bytes = encodeText(toText(valueAt(column, rows[i])))
      this.#addText(groups[i], bytes, 0, bytes.length)
    }
  }

  #addText(group: number, bytes: Bytes, start: number, end: number): void {
    work(2)
    if (start === end) return
    const folded = foldNumbers(bytes, start, end, true)
    this.#count(group, this.#templates.intern(folded.bytes, 0, folded.length), 1)
  }

  #count(group: number, template: number, hits: number): void {
    const pair = this.#pairs.numberOf(group, template)
    if (pair >= this.#hits.length) this.#hits = grown(this.#hits, pair + 1)
    this.#hits[pair] += hits
  }

  finish(groups: Uint32Array): Column {
    const { left, right } = this.#pairs.all()
    const pairsOf = pairsByGroup(left)
    const { bytes, ends } = this.#templates
    const compareTemplates = (a: number, b: number): number =>
      compareFolded(bytes, ends[a], ends[a + 1], ends[b], ends[b + 1])
    const order = (a: number, b: number): number =>
      this.#hits[b] - this.#hits[a] || compareTemplates(right[a], right[b])
    // Decoded templates by number, because groups share most of their frequent templates.
    const texts: string[] = []
    const templateOf = (pair: number): Template => {
      const template = right[pair]
      texts[template] ??= textOfFolded(bytes, ends[template], ends[template + 1])
      return { pattern: texts[template], hits: this.#hits[pair] }
    }
    const listOf = (group: number): Value => {
      const templates = firstBy(pairsOf(group), order, this.#limit).map(templateOf)
      return chargedValue(templateList(templates, this.#meter), this.#meter, 'pattern')
    }
    return columnOfValues(Array.from(groups, listOf))
  }

  bytes(): number {
    return this.#templates.memoryBytes + this.#pairs.memoryBytes + this.#hits.byteLength
  }

  readonly partials: KernelPartials<CountedTemplates> = {
    exportPartial: () => {
      const pairs = this.#pairs.all()
      const given = { templates: this.#templates.exportPartial(), pairs, hits: this.#hits.slice(0, pairs.left.length) }
      this.#templates = new KeyTable()
      this.#pairs = new PairNumbers()
      this.#hits = new Float64Array(1)
      return given
    },
    mergePartial: ({ templates, pairs: { left, right }, hits }, groups) => {
      const numbers = this.#templates.mergePartial(templates)
      for (let pair = 0; pair < left.length; pair++) {
        if (pair % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 2)
        this.#count(groups[left[pair]], numbers[right[pair]], hits[pair])
      }
    },
  }
}

/** Returns a function from a group to the indexes of its pairs; `groups[i]` is the group of pair `i`. */
function pairsByGroup(groups: Uint32Array): (group: number) => Uint32Array {
  let bound = 0
  for (const group of groups) bound = Math.max(bound, group + 1)
  const ends = new Uint32Array(bound + 1)
  for (const group of groups) ends[group + 1]++
  for (let group = 0; group < bound; group++) ends[group + 1] += ends[group]
  // `ends[g]` begins as the start of group `g` and advances to the end of the group.
  const pairs = new Uint32Array(groups.length)
  for (let pair = 0; pair < groups.length; pair++) pairs[ends[groups[pair]]++] = pair
  return (group) =>
    group < bound ? pairs.subarray(group === 0 ? 0 : ends[group - 1], ends[group]) : pairs.subarray(0, 0)
}
