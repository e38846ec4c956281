import { Labels, labelLimits, METRIC_NAME, type LabelPair } from '../../data/index.ts'

/** Thrown for a faulty line; its message states the fault. */
export class LineFault extends Error {
  override readonly name = 'LineFault'
}

const BARE_NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y
const NUMBER = /^[+-]?(?:inf(?:inity)?|nan|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|0x[0-9a-f]+)$/i

/** Parses a float of the exposition formats. */
export function readFloat(text: string): number {
  if (!NUMBER.test(text)) throw new LineFault(`\`${text.slice(0, 40)}\` is not a number`)
  if (/inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return /nan/i.test(text) ? NaN : Number(text)
}

/** Reads a sample line from left to right. Every method throws a `LineFault` at unexpected input. */
export class LineScanner {
  readonly #line: string
  #at = 0

  constructor(line: string) {
    this.#line = line
  }

  skipBlanks(): void {
    while (this.#at < this.#line.length && (this.#line[this.#at] === ' ' || this.#line[this.#at] === '\t')) this.#at++
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#line.length
  }

  isAt(text: string): boolean {
    return this.#line.startsWith(text, this.#at)
  }

  #expect(character: string): void {
    if (!this.isAt(character)) throw new LineFault(`expected \`${character}\` at column ${this.#at + 1}`)
    this.#at++
  }

  #bareName(): string | undefined {
    BARE_NAME.lastIndex = this.#at
    const match = BARE_NAME.exec(this.#line)
    if (match === null) return undefined
    this.#at += match[0].length
    return match[0]
  }

  #quoted(): string {
    this.#expect('"')
    const from = this.#at
    while (!this.isAt('"')) {
      if (this.isAtEnd) throw new LineFault('a quoted text is not closed')
      this.#at += this.isAt('\\') ? 2 : 1
    }
    const text = this.#line.slice(from, this.#at++)
    return text.replaceAll(/\\([n"\\])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
  }

  /** Reads a metric name, or braces with a quoted name, and the labels. */
  labels(): Labels {
    const pairs: LabelPair[] = []
    const name = this.#bareName()
    if (name !== undefined) pairs.push([METRIC_NAME, name])
    this.skipBlanks()
    if (this.isAt('{')) this.#braces(pairs)
    if (!pairs.some(([label]) => label === METRIC_NAME)) throw new LineFault('there is no metric name')
    return Labels.from(pairs)
  }

  #braces(pairs: LabelPair[]): void {
    const seen = new Set(pairs.map(([label]) => label))
    let filled = pairs.length
    this.#expect('{')
    for (;;) {
      this.skipBlanks()
      if (this.isAt('}')) break
      const name = this.isAt('"') ? this.#quoted() : this.#bareName()
      if (name === undefined) throw new LineFault(`expected a label name at column ${this.#at + 1}`)
      this.skipBlanks()
      let label = METRIC_NAME
      let value = name
      if (this.isAt('=')) {
        this.#expect('=')
        this.skipBlanks()
        label = name
        value = this.#quoted()
      }
      pairs.push([label, value])
      if (value !== '' && ++filled > labelLimits.count)
        throw new LineFault(`it has more than ${labelLimits.count} labels`)
      if (seen.has(label)) throw new LineFault(`the label \`${label}\` is given twice`)
      seen.add(label)
      this.skipBlanks()
      if (!this.isAt(',')) break
      this.#at++
    }
    this.#expect('}')
  }

  /** Reads up to the next blank. */
  word(): string {
    const from = this.#at
    while (!this.isAtEnd && this.#line[this.#at] !== ' ' && this.#line[this.#at] !== '\t') this.#at++
    return this.#line.slice(from, this.#at)
  }
}
