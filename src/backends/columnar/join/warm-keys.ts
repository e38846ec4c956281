import { Bytes, type Turns } from '../../../base/index.ts'
import type { DictionaryColumn } from '../../../data/index.ts'
import { GrowingDictionary } from '../../../store/index.ts'
import { Frame } from '../frame.ts'
import { NONE } from '../keys/key-table.ts'
import { BuiltKeys } from './join-keys.ts'
import { LookUpFilter } from './translation.ts'

/** Keys of either side, half of which the other one has: loops over them run often enough to be compiled. */
const KEYS = 16_384
const ROUNDS = 6
const NAME = 'key'
/** As many look-ups as a filter is made for; it leaves nothing out of fewer. */
const MANY = 2 ** 20

/** Ids as traces have them, in an order of their own. */
function idsFrom(first: number): GrowingDictionary {
  const dictionary = new GrowingDictionary()
  for (let i = 0; i < KEYS; i++) {
    const id = (Math.imul(first + i, 0x9e3779b1) >>> 0).toString(16).padStart(16, '0')
    dictionary.internAscii(Bytes.from(id), 0, id.length)
  }
  return dictionary
}

/** The same entries once more, of which nothing is remembered. */
function unknown(dictionary: GrowingDictionary): GrowingDictionary {
  const made = new GrowingDictionary()
  made.adopt(dictionary.state())
  return made
}

/** One row an entry. Codes are as wide as those of large dictionaries: code compiled for others is thrown away when these come. */
function rowsOf(dictionary: GrowingDictionary): Frame {
  const codes = Uint32Array.from({ length: KEYS }, (_, row) => row + 1)
  const column: DictionaryColumn = { kind: 'dictionary', length: KEYS, codes, dictionary }
  return new Frame(KEYS, new Map([[NAME, column]]))
}

/**
 * Numbers keys and looks them up in another dictionary again and again, as joins of large tables do once: what is looked up is remembered, so
 * that the same join asked again never comes back to it. Gives how many keys of each round were found.
 */
export function* warmUpKeys(): Turns<readonly number[]> {
  const [first, second] = [idsFrom(0), idsFrom(KEYS / 2)]
  const all = Uint32Array.from({ length: KEYS }, (_, i) => i + 1)
  const found = new Uint32Array(KEYS)
  const counts: number[] = []
  yield
  for (let round = 0; round < ROUNDS; round++) {
    const [built, other] = [unknown(first), unknown(second)]
    const keys = new BuiltKeys([NAME], [rowsOf(built)])
    keys.reader([NAME], true).numbers(rowsOf(built))
    const reader = keys.reader([NAME], false)
    yield* reader.lookUp(rowsOf(other), KEYS)
    counts.push(reader.knownCodes(other)?.reduce((count, key) => count + (key > NONE ? 1 : 0), 0) ?? 0)
    const filter = new LookUpFilter(other, MANY)
    other.codesOfEntries(built, all, found, filter.bits)
    filter.release()
    yield
  }
  return counts
}
