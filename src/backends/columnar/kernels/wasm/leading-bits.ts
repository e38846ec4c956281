import { localsNamed, moduleOf, wasm as w, type Code } from '../../../../base/index.ts'

/** The bucket of a value: the upper half of the double as an integer that grows with it, less its last bits, counted from `base`. */
const bucketParams = ['groups', 'values', 'valuesEnd', 'buckets', 'shift', 'base'] as const

type BucketLocal = (typeof bucketParams)[number] | 'high' | 'at'

/** What `inBucket` does with `at`, the number of the bucket of the value's group, for each value that is not NaN. */
function overValues(l: ReturnType<typeof localsNamed<BucketLocal>>, inBucket: readonly Code[]): Code {
  const { groups, values, valuesEnd, buckets, shift, base, high, at } = l
  const value = w.loadF64(values.get)
  return w.loop(
    w.when(
      w.f64Eq(value, value),
      high.set(w.load32(values.get, 4)),
      at.set(
        w.add(
          w.mul(w.load32(groups.get), buckets.get),
          w.sub(w.shrS(w.xor(high.get, w.shrU(w.shrS(high.get, w.i32(31)), w.i32(1))), shift.get), base.get),
        ),
      ),
      ...inBucket,
    ),
    groups.set(w.add(groups.get, w.i32(4))),
    values.set(w.add(values.get, w.i32(8))),
    w.brIf(0, w.ltU(values.get, valuesEnd.get)),
  )
}

const countParams = [...bucketParams, 'histogram'] as const
const countLocals = localsNamed([...countParams, 'high', 'at'])

/** Counts the values of each group by bucket; `histogram` has 32 bits for each of `buckets` buckets of each group. */
const countBody: Code = overValues(countLocals, [
  countLocals.at.set(w.add(countLocals.histogram.get, w.shl(countLocals.at.get, w.i32(2)))),
  w.store32(countLocals.at.get, w.add(w.load32(countLocals.at.get), w.i32(1))),
])

export const countByBitsModule = (): Uint8Array => moduleOf(countParams.length, { i32: 2, v128: 0 }, countBody)

const findParams = [...bucketParams, 'wanted', 'found', 'foundEnd'] as const
const findLocals = localsNamed([...findParams, 'high', 'at'])
const { at, values, wanted, found, foundEnd } = findLocals

/** Writes the addresses of the values in buckets whose bit is set in `wanted`, and at `foundEnd` where they end. */
const findBody: Code = [
  ...overValues(findLocals, [
    w.when(
      w.and(
        w.shrU(w.load32(w.add(wanted.get, w.shl(w.shrU(at.get, w.i32(5)), w.i32(2)))), w.and(at.get, w.i32(31))),
        w.i32(1),
      ),
      w.store32(found.get, values.get),
      found.set(w.add(found.get, w.i32(4))),
    ),
  ]),
  ...w.store32(foundEnd.get, found.get),
]

export const findByBitsModule = (): Uint8Array => moduleOf(findParams.length, { i32: 2, v128: 0 }, findBody)
