import type {
  Arbitrary as CheckArbitrary,
  Random as CheckRandom,
  Stream as CheckStream,
  Value as CheckValue,
} from 'fast-check'
import { MAX_INT32, SluiceError, nowhere, seededRandom, type Random } from '../base/index.ts'
import { fuzzDiagnostic } from './diagnostics.ts'

// Classes below extend those of fast-check, so a missing package must be reported while this module loads.
const { Arbitrary, Stream, Value } = await import('fast-check').catch((error: unknown) => {
  if (Reflect.get(Object(error), 'code') !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new SluiceError([fuzzDiagnostic('package-missing', undefined, nowhere)])
})

/** A fast-check arbitrary over one of our own generators, shrunk by our own shrinker. */
class Drawn<T> extends Arbitrary<T> {
  readonly #draw: (random: Random) => T
  readonly #smaller: (value: T) => Iterable<T>

  constructor(draw: (random: Random) => T, smaller: (value: T) => Iterable<T>) {
    super()
    this.#draw = draw
    this.#smaller = smaller
  }

  override generate(random: CheckRandom): CheckValue<T> {
    return new Value(this.#draw(seededRandom(random.nextInt(0, MAX_INT32))), undefined)
  }

  override canShrinkWithoutContext(_value: unknown): _value is T {
    return false
  }

  override shrink(value: T): CheckStream<CheckValue<T>> {
    const smaller = this.#smaller
    function* values(): IterableIterator<CheckValue<T>> {
      for (const each of smaller(value)) yield new Value(each, undefined)
    }
    return new Stream(values())
  }
}

export function arbitraryOf<T>(
  draw: (random: Random) => T,
  smaller: (value: T) => Iterable<T> = () => [],
): CheckArbitrary<T> {
  return new Drawn(draw, smaller)
}
