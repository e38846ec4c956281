import { localsNamed, moduleOf, wasm as w, type Code, type Local } from '../../../base/index.ts'

/** Addresses; the number of a sample lies as far behind `values` as its time behind `times`. `isCounter` is 0 or 1. */
const params = ['times', 'timesEnd', 'values', 'ends', 'endsEnd', 'out', 'kinds', 'settings', 'isCounter'] as const
const ints = ['first', 'beyond', 'last', 'toValue', 'reset', 'at'] as const
const floats = [
  ...(['rangeMs', 'divisor', 'endMs', 'startMs', 'value', 'before', 'firstValue', 'difference'] as const),
  ...(['firstMs', 'lastMs', 'sampled', 'average', 'limit', 'ahead', 'behind', 'toZero', 'factor'] as const),
] as const
const v = localsNamed([...params, ...ints, ...floats])

/** Bytes from `settings` on: milliseconds, what a difference is divided by, and where the address is written that the last window begins at. */
export const rateSettings = { rangeMs: 0, divisor: 8, first: 16, bytes: 24 } as const

const { i32, f64 } = w
const TIME_BYTES = i32(8)
const TWO = f64(2)
const MS_OF_SECOND = f64(1000)
/** Of the sample whose time is at an address. */
const valueOf = (time: Code, offset = 0): Code => w.loadF64(w.add(time, v.toValue.get), offset)
const next = ({ get, set }: Local): Code => set(w.add(get, TIME_BYTES))
const seconds = (from: Code, to: Code): Code => w.f64Div(w.f64Sub(to, from), MS_OF_SECOND)

/** To the first sample beyond the window; `reset` is the last sample so far that is below the one ahead of it. */
const moveEnd: Code = w.block(
  w.loop(
    w.brIf(1, w.geU(v.beyond.get, v.timesEnd.get)),
    w.brIf(1, w.eqz(w.f64Le(w.loadF64(v.beyond.get), v.endMs.get))),
    v.value.set(valueOf(v.beyond.get)),
    w.when(w.f64Lt(v.value.get, v.before.get), v.reset.set(v.beyond.get)),
    v.before.set(v.value.get),
    next(v.beyond),
    w.br(0),
  ),
)

const moveStart: Code = w.block(
  w.loop(
    w.brIf(1, w.geU(v.first.get, v.timesEnd.get)),
    w.brIf(1, w.eqz(w.f64Le(w.loadF64(v.first.get), v.startMs.get))),
    next(v.first),
    w.br(0),
  ),
)

/** Adds what was lost at each reset of the window, one after the other. */
const addLost: Code = w.when(
  w.and(v.isCounter.get, w.gtU(v.reset.get, v.first.get)),
  v.at.set(v.first.get),
  w.loop(
    w.when(
      w.f64Lt(valueOf(v.at.get, 8), valueOf(v.at.get)),
      v.difference.set(w.f64Add(v.difference.get, valueOf(v.at.get))),
    ),
    next(v.at),
    w.brIf(0, w.ltU(v.at.get, v.last.get)),
  ),
)

/** Draws the difference out to the window's ends, as `extrapolationFactor` does where no start is known. */
const writeRate: Code = [
  ...v.sampled.set(seconds(v.firstMs.get, v.lastMs.get)),
  ...v.average.set(w.f64Div(v.sampled.get, w.f64OfI32(w.shrU(w.sub(v.last.get, v.first.get), i32(3))))),
  ...v.limit.set(w.f64Mul(v.average.get, f64(1.1))),
  ...v.ahead.set(seconds(v.startMs.get, v.firstMs.get)),
  ...v.behind.set(seconds(v.lastMs.get, v.endMs.get)),
  ...w.when(w.f64Ge(v.ahead.get, v.limit.get), v.ahead.set(w.f64Div(v.average.get, TWO))),
  ...w.when(
    w.and(v.isCounter.get, w.and(w.f64Gt(v.difference.get, f64(0)), w.f64Ge(v.firstValue.get, f64(0)))),
    v.toZero.set(w.f64Mul(v.sampled.get, w.f64Div(v.firstValue.get, v.difference.get))),
    w.when(w.f64Lt(v.toZero.get, v.ahead.get), v.ahead.set(v.toZero.get)),
  ),
  ...w.when(w.f64Ge(v.behind.get, v.limit.get), v.behind.set(w.f64Div(v.average.get, TWO))),
  ...v.factor.set(f64(1)),
  ...w.when(
    w.eqz(w.f64Eq(v.sampled.get, f64(0))),
    v.factor.set(w.f64Div(w.f64Add(w.f64Add(v.sampled.get, v.ahead.get), v.behind.get), v.sampled.get)),
  ),
  ...w.storeF64(v.out.get, w.f64Mul(v.difference.get, w.f64Div(v.factor.get, v.divisor.get))),
  ...w.store8(v.kinds.get, i32(1)),
]

const body: Code = [
  ...v.rangeMs.set(w.loadF64(v.settings.get, rateSettings.rangeMs)),
  ...v.divisor.set(w.loadF64(v.settings.get, rateSettings.divisor)),
  ...v.toValue.set(w.sub(v.values.get, v.times.get)),
  ...v.first.set(v.times.get),
  ...v.beyond.set(v.times.get),
  // Nothing is below it.
  ...v.before.set(f64(NaN)),
  ...w.loop(
    v.endMs.set(w.loadF64(v.ends.get)),
    v.startMs.set(w.f64Sub(v.endMs.get, v.rangeMs.get)),
    moveEnd,
    moveStart,
    v.last.set(w.sub(v.beyond.get, TIME_BYTES)),
    w.store8(v.kinds.get, i32(0)),
    w.when(
      w.and(w.gtU(v.beyond.get, v.first.get), w.gtU(v.last.get, v.first.get)),
      v.firstMs.set(w.loadF64(v.first.get)),
      v.lastMs.set(w.loadF64(v.last.get)),
      v.firstValue.set(valueOf(v.first.get)),
      v.difference.set(w.f64Sub(valueOf(v.last.get), v.firstValue.get)),
      addLost,
      writeRate,
    ),
    next(v.ends),
    next(v.out),
    v.kinds.set(w.add(v.kinds.get, i32(1))),
    w.brIf(0, w.ltU(v.ends.get, v.endsEnd.get)),
  ),
  ...w.store32(v.settings.get, v.first.get, rateSettings.first),
]

/**
 * Writes the rate, increase or difference of each window `(end - range, end]` of a series, and 1 for its kind; 0 where a window has less
 * than two samples. Ends ascend, and there is at least one. Operations and their order are those of the loop in `rate.ts`.
 */
export const rateWindowsModule = (): Uint8Array =>
  moduleOf(params.length, { i32: ints.length, v128: 0, f64: floats.length }, body)
