import { Arbitrary, Stream, Value, type Random as CheckRandom } from 'fast-check'
import { MAX_INT32, seededRandom, type Random } from '../base/index.ts'

/** What a generator of ours draws, made smaller by a shrinker of ours. */
class Drawn<T> extends Arbitrary<T> {
  readonly #draw: (random: Random) => T
  readonly #smaller: (value: T) => Iterable<T>

  constructor(draw: (random: Random) => T, smaller: (value: T) => Iterable<T>) {
    super()
    this.#draw = draw
    this.#smaller = smaller
  }

  override generate(random: CheckRandom): Value<T> {
    return new Value(this.#draw(seededRandom(random.nextInt(0, MAX_INT32))), undefined)
  }

  override canShrinkWithoutContext(_value: unknown): _value is T {
    return false
  }

  override shrink(value: T): Stream<Value<T>> {
    const smaller = this.#smaller
    function* values(): IterableIterator<Value<T>> {
      for (const each of smaller(value)) yield new Value(each, undefined)
    }
    return new Stream(values())
  }
}

export function arbitraryOf<T>(
  draw: (random: Random) => T,
  smaller: (value: T) => Iterable<T> = () => [],
): Arbitrary<T> {
  return new Drawn(draw, smaller)
}
