import { describe, expect, test } from 'vitest'
import { present, seededRandom } from '../../../src/base/index.ts'
import { GroupPage, encodePage } from '../../../src/store/segments/group-page.ts'

/** Places by hash, as a page that was written and read gives them. */
function readBack(items: ReadonlyMap<number, ReadonlySet<number>>, range: number, places: number): GroupPage {
  const sorted = [...items].flatMap(([hash, having]) => [...having].map((place) => hash * 256 + place))
  const words = encodePage(Uint32Array.from(sorted).sort(), { range, places })
  return present(GroupPage.of(words, { range, places }))
}

function placesOf(page: GroupPage, hash: number, places: number): readonly number[] {
  const bits = new Uint32Array((places + 31) >>> 5)
  page.addPlaces(hash, bits)
  return Array.from({ length: places }, (_, place) => place).filter(
    (place) => ((present(bits[place >>> 5]) >>> (place & 31)) & 1) === 1,
  )
}

describe('a page of hashes', () => {
  test.each([
    { places: 1, range: 1, hashes: 1 },
    { places: 1, range: 2 ** 24, hashes: 3 },
    { places: 2, range: 64, hashes: 64 },
    { places: 16, range: 5000, hashes: 900 },
    { places: 33, range: 2 ** 20, hashes: 700 },
    { places: 256, range: 4096, hashes: 2000 },
  ])('of $places places has exactly what was put in', ({ places, range, hashes }) => {
    const random = seededRandom(places)
    const items = new Map<number, Set<number>>()
    for (let i = 0; i < hashes; i++) {
      const most = random.below(4) === 0 ? places : Math.min(3, places)
      const having = new Set(Array.from({ length: 1 + random.below(most) }, () => random.below(places)))
      items.set(i === 0 ? range - 1 : random.below(range), having)
    }
    const page = readBack(items, range, places)
    const found = new Map<number, Set<number>>()
    const all = page.items()
    expect(all).toEqual(all.toSorted())
    for (const item of all) found.set(item >>> 8, (found.get(item >>> 8) ?? new Set()).add(item & 255))
    const sorted = (all: ReadonlyMap<number, ReadonlySet<number>>) =>
      [...all].toSorted(([a], [b]) => a - b).map(([hash, having]) => [hash, [...having].toSorted((a, b) => a - b)])
    expect(sorted(found)).toEqual(sorted(items))
    for (let i = 0; i < 3000; i++) {
      const hash = i < range && i < 1500 ? i : random.below(range)
      expect(placesOf(page, hash, places)).toEqual([...(items.get(hash) ?? [])].toSorted((a, b) => a - b))
    }
  })

  test('that has nothing finds nothing', () => {
    const page = readBack(new Map(), 100, 16)
    expect(placesOf(page, 99, 16)).toEqual([])
  })

  test('of other lengths is none', () => {
    const words = encodePage(Uint32Array.of(5 * 256 + 1, 9 * 256), { range: 100, places: 16 })
    expect(GroupPage.of(words.subarray(0, -1), { range: 100, places: 16 })).toBeUndefined()
    expect(GroupPage.of(new Uint32Array(2), { range: 100, places: 16 })).toBeUndefined()
    for (const at of [0, 1, 2, 3])
      for (const value of [1000, 2 ** 31]) {
        const changed = words.slice()
        changed[at] = value
        expect(GroupPage.of(changed, { range: 100, places: 16 })).toBeUndefined()
      }
  })
})
