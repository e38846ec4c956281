import { localsNamed, moduleOf, wasm as w, type Code } from '../../../../base/index.ts'

/** Addresses. `settings` holds the numbers that cut a value in two and its largest size; behind them, where `misses` ends is written. */
const params = ['groups', 'values', 'valuesEnd', 'slots', 'settings', 'misses'] as const
const l = localsNamed([...params, 'slot', 'cutHigh', 'cutLow', 'limit', 'value', 'high', 'rest', 'low'])

/** Bytes from `settings` on. */
export const sumSettings = { cutHigh: 0, cutLow: 8, limit: 16, missesEnd: 24, bytes: 32 } as const

const { groups, values, valuesEnd, slots, settings, misses, slot, cutHigh, cutLow, limit, value, high, rest, low } = l

function cut(part: Code, by: Code): Code {
  return w.f64Sub(w.f64Add(part, by), by)
}

/**
 * Adds each value's two parts and 1 to the first three of the four numbers of its group. Values that do not fit in the parts, NaN
 * among them, are left out: their addresses are written to `misses`. There is at least one value.
 */
const body: Code = [
  ...cutHigh.set(w.loadF64(settings.get, sumSettings.cutHigh)),
  ...cutLow.set(w.loadF64(settings.get, sumSettings.cutLow)),
  ...limit.set(w.loadF64(settings.get, sumSettings.limit)),
  ...w.loop(
    value.set(w.loadF64(values.get)),
    slot.set(w.add(slots.get, w.shl(w.load32(groups.get), w.i32(5)))),
    high.set(cut(value.get, cutHigh.get)),
    rest.set(w.f64Sub(value.get, high.get)),
    low.set(cut(rest.get, cutLow.get)),
    w.whenElse(
      w.and(w.f64Eq(rest.get, low.get), w.f64Le(w.f64Abs(value.get), limit.get)),
      [
        ...w.v128Store(slot.get, w.f64x2Add(w.v128Load(slot.get), w.f64x2(high.get, low.get))),
        ...w.storeF64(slot.get, w.f64Add(w.loadF64(slot.get, 16), w.f64(1)), 16),
      ],
      [...w.store32(misses.get, values.get), ...misses.set(w.add(misses.get, w.i32(4)))],
    ),
    groups.set(w.add(groups.get, w.i32(4))),
    values.set(w.add(values.get, w.i32(8))),
    w.brIf(0, w.ltU(values.get, valuesEnd.get)),
  ),
  ...w.store32(settings.get, misses.get, sumSettings.missesEnd),
]

export const sumExactlyModule = (): Uint8Array => moduleOf(params.length, { i32: 1, v128: 0, f64: 7 }, body)
