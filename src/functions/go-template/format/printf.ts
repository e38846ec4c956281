import { formatValue, printable, type Directive } from './format-value.ts'
import { typeName, type GoValue } from '../values.ts'

/** Maximum width, precision and argument number, as in Go. */
const MAX_NUMBER = 1_000_000

const FLAGS = '+-# 0'

/**
 * Formats arguments by one format string. Its state is the position in the format and the index of the next argument.
 */
class Printer {
  readonly #format: string
  readonly #args: readonly GoValue[]
  /** Throws if an output of this length, in UTF-16 units, is too long. */
  readonly #checkLength: (chars: number) => void
  #at = 0
  #next = 0
  #isReordered = false
  #isGoodIndex = true

  constructor(format: string, args: readonly GoValue[], checkLength: (chars: number) => void) {
    this.#format = format
    this.#args = args
    this.#checkLength = checkLength
  }

  print(): string {
    let output = ''
    while (this.#at < this.#format.length) {
      const percent = this.#format.indexOf('%', this.#at)
      const end = percent === -1 ? this.#format.length : percent
      output += this.#format.slice(this.#at, end)
      this.#at = end
      if (percent !== -1) output += this.#directive()
      this.#checkLength(output.length)
    }
    return `${output}${this.#extra()}`
  }

  #directive(): string {
    this.#at++
    this.#isGoodIndex = true
    let flags = ''
    for (; this.#char() !== '' && FLAGS.includes(this.#char()); this.#at++) flags += this.#char()
    let isIndexed = this.#argumentIndex()
    let faults = ''
    let width: number | undefined
    let isLeft = flags.includes('-')
    if (this.#char() === '*') {
      width = this.#starred()
      if (width === undefined) faults += '%!(BADWIDTH)'
      else if (width < 0) {
        width = -width
        isLeft = true
      }
      isIndexed = false
    } else {
      width = this.#number()
      // Go rejects `%[3]2d`.
      if (isIndexed && width !== undefined) this.#isGoodIndex = false
    }
    let precision: number | undefined
    if (this.#char() === '.') {
      this.#at++
      if (isIndexed) this.#isGoodIndex = false
      isIndexed = this.#argumentIndex()
      if (this.#char() === '*') {
        precision = this.#starred()
        if (precision === undefined || precision < 0) {
          faults += precision === undefined ? '%!(BADPREC)' : ''
          precision = undefined
        }
        isIndexed = false
      } else precision = this.#number() ?? 0
    }
    if (!isIndexed) this.#argumentIndex()
    this.#checkLength(Math.max(width ?? 0, precision ?? 0))
    const verb = String.fromCodePoint(this.#format.codePointAt(this.#at) ?? 0)
    if (this.#char() === '') return `${faults}%!(NOVERB)`
    this.#at += verb.length
    if (verb === '%') return `${faults}%`
    if (!this.#isGoodIndex) return `${faults}%!${verb}(BADINDEX)`
    const value = this.#args[this.#next]
    if (value === undefined) return `${faults}%!${verb}(MISSING)`
    this.#next++
    const directive: Directive = {
      verb,
      width,
      precision,
      isLeft,
      isZeroPadded: flags.includes('0') && !isLeft,
      hasPlus: flags.includes('+') && verb !== 'v',
      hasSpace: flags.includes(' '),
      isAlternate: flags.includes('#') && verb !== 'v',
      isNamed: flags.includes('+') && verb === 'v',
      isSource: flags.includes('#') && verb === 'v',
    }
    return `${faults}${formatValue(value, directive)}`
  }

  #char(): string {
    return this.#format.charAt(this.#at)
  }

  #number(): number | undefined {
    const start = this.#at
    while (/^\d$/.test(this.#char())) this.#at++
    if (this.#at === start) return undefined
    return Number(this.#format.slice(start, this.#at))
  }

  /**
   * Returns the argument that provides the number for `*`; `undefined` if the argument is not an integer or is too
   * large.
   */
  #starred(): number | undefined {
    this.#at++
    const value = this.#args[this.#next]
    if (value !== undefined) this.#next++
    const isFit = typeof value === 'bigint' && value <= MAX_NUMBER && value >= -MAX_NUMBER
    return isFit ? Number(value) : undefined
  }

  /** Parses an argument number such as `[2]`. Returns whether there is one. */
  #argumentIndex(): boolean {
    if (this.#char() !== '[') return false
    this.#isReordered = true
    const close = this.#format.indexOf(']', this.#at)
    const number = close === -1 ? '' : this.#format.slice(this.#at + 1, close)
    this.#at = close === -1 ? this.#at + 1 : close + 1
    const index = /^\d+$/.test(number) ? Number(number) - 1 : -1
    this.#isGoodIndex &&= index >= 0 && index < this.#args.length
    if (this.#isGoodIndex) this.#next = index
    return true
  }

  #extra(): string {
    if (this.#isReordered || this.#next >= this.#args.length) return ''
    const rest = this.#args.slice(this.#next)
    const shown = rest.map((value) => (value === null ? '<nil>' : `${typeName(value)}=${formatValue(value)}`))
    return `%!(EXTRA ${shown.join(', ')})`
  }
}

/**
 * Formats values like Go's `printf`. Mistakes in the format appear in the result, such as `%!d(string=x)`.
 * `checkLength` is called with the length of a string, in UTF-16 units, before the string is created, and may throw.
 */
export function printf(format: string, args: readonly GoValue[], checkLength: (chars: number) => void): string {
  return new Printer(format, args, checkLength).print()
}

/** Joins values like Go's `print`: adds a space between two values if neither is a string. */
export function print(args: readonly GoValue[]): string {
  let output = ''
  for (const [i, value] of args.entries()) {
    const hasSpace = i > 0 && typeof value !== 'string' && typeof args[i - 1] !== 'string'
    output += `${hasSpace ? ' ' : ''}${formatValue(value)}`
  }
  return output
}

/** Joins values with spaces between them and adds a line feed. */
export function println(args: readonly GoValue[]): string {
  return `${args.map((value) => formatValue(value)).join(' ')}\n`
}

/** Joins values like `print`, each formatted as an action outputs it. Used by the escaping functions. */
export function outputAll(args: readonly GoValue[]): string {
  return print(args.map(printable))
}
