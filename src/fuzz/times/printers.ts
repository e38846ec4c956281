import { civilFromDays, type Random } from '../../base/index.ts'

/** An instant as the clocks of a zone show it. */
export interface Shown {
  readonly ns: bigint
  readonly offsetSeconds: number
}

export interface Printed {
  readonly text: string
  /** Number of fractional digits of the second in the text. */
  readonly digits: number
  /** True if the text contains the zone. */
  readonly isZoned: boolean
}

/** Prints times in one format. */
export interface Printer {
  /**
   * Instants that the format can express: all, 100 years, the last year, the last day, or those of numeric Unix times.
   */
  readonly range: 'all' | 'century' | 'year' | 'day' | 'epoch'
  readonly print: (shown: Shown, random: Random) => Printed
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const LONG_MONTHS = 'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Thursday Friday Saturday Sunday Monday Tuesday Wednesday'.split(' ')

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0')
}

/**
 * Calendar fields of a time with leading zeros, from which most formats are composed; fraction and zone are optional.
 */
class Clock {
  readonly year: string
  readonly month: string
  readonly monthName: string
  readonly longMonth: string
  readonly day: string
  readonly weekday: string
  readonly hour: number
  readonly #rest: string
  readonly #shown: Shown
  readonly #random: Random
  digits = 0
  isZoned = false

  constructor(shown: Shown, random: Random) {
    this.#shown = shown
    this.#random = random
    const local = Number(shown.ns / 1_000_000_000n) + shown.offsetSeconds
    const days = Math.floor(local / 86_400)
    const seconds = local - days * 86_400
    const { year, month, day } = civilFromDays(days)
    this.year = pad(year, 4)
    this.month = pad(month)
    this.monthName = MONTHS[month - 1] ?? ''
    this.longMonth = LONG_MONTHS[month - 1] ?? ''
    this.day = pad(day)
    this.weekday = WEEKDAYS[days % 7] ?? ''
    this.hour = Math.floor(seconds / 3600)
    this.#rest = `:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
  }

  get paddedDay(): string {
    return this.day.replace(/^0/, ' ')
  }

  get time(): string {
    return pad(this.hour) + this.#rest
  }

  get halves(): string {
    return `${this.hour % 12 === 0 ? 12 : this.hour % 12}${this.#rest} ${this.hour < 12 ? 'AM' : 'PM'}`
  }

  fraction(choices: readonly number[], point = '.'): string {
    this.digits = this.#random.pick(choices)
    return this.digits === 0 ? '' : point + pad(Number(this.#shown.ns % 1_000_000_000n), 9).slice(0, this.digits)
  }

  zone(forms: readonly ('' | '+hh:mm' | '+hhmm' | ' +hhmm')[]): string {
    const form = this.#random.pick(forms)
    if (form === '') return ''
    this.isZoned = true
    const { offsetSeconds } = this.#shown
    const minutes = Math.abs(offsetSeconds) / 60
    const sign = offsetSeconds < 0 ? '-' : '+'
    const colon = form === '+hh:mm' ? ':' : ''
    return `${form.startsWith(' ') ? ' ' : ''}${sign}${pad(Math.floor(minutes / 60))}${colon}${pad(minutes % 60)}`
  }
}

function clocked(range: Printer['range'], textOf: (clock: Clock, random: Random) => string): Printer {
  return {
    range,
    print: (shown, random) => {
      const clock = new Clock(shown, random)
      const text = textOf(clock, random)
      return { text, digits: clock.digits, isZoned: clock.isZoned }
    },
  }
}

const SOME = [0, 1, 3, 6, 9] as const

function epoch(units: readonly number[]): Printer {
  return {
    range: 'epoch',
    print: ({ ns }, random) => {
      const places = random.pick(units)
      const digits = String(ns)
      const rest = digits.slice(digits.length - places)
      const kept = places === 0 ? 0 : random.below(places + 1)
      const whole = digits.slice(0, digits.length - places)
      const text = kept === 0 ? whole : `${whole}.${rest.slice(0, kept)}`
      return { text, digits: 9 - places + kept, isZoned: true }
    },
  }
}

/** Printers of each format by its name. */
export const printers: ReadonlyMap<string, Printer> = new Map([
  [
    'ISO 8601',
    clocked('all', (c, random) => {
      const between = random.pick(['-', '/', '.'])
      const date = [c.year, c.month, c.day].join(between)
      const fraction = random.next() < 0.5 ? c.fraction([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) : c.fraction([3, 6, 9], ',')
      return `${date}${random.pick(['T', ' ', 't', '_'])}${c.time}${fraction}${c.zone(['', '+hh:mm', '+hhmm', ' +hhmm'])}`
    }),
  ],
  [
    'ISO 8601, basic',
    clocked('all', (c) => {
      const time = c.time.replaceAll(':', '')
      return `${c.year}${c.month}${c.day}T${time}${c.fraction(SOME)}${c.zone(['', '+hhmm'])}`
    }),
  ],
  [
    'a date without marks',
    clocked('all', (c) => `${c.year}${c.month}${c.day} ${c.time}${c.fraction(SOME)}${c.zone(['', ' +hhmm'])}`),
  ],
  ['seconds since the epoch, with whatever unit', epoch([9, 6, 3, 0])],
  ['seconds or milliseconds at the head of a line', epoch([9, 6, 3, 0])],
  [
    'day, name of the month, year',
    clocked('all', (c, random) => {
      const between = random.pick(['/', '-', ' '])
      const date = [c.day, random.pick([c.monthName, c.longMonth, c.monthName.toUpperCase()]), c.year].join(between)
      return `${date}${between === '/' ? ':' : ' '}${c.time}${c.fraction(SOME)}${c.zone(['', ' +hhmm'])}`
    }),
  ],
  [
    'weekday, day, name of the month, year',
    clocked('century', (c, random) => {
      const isShort = random.next() < 0.5
      const date = isShort ? `${c.day}-${c.monthName}-${c.year.slice(2)}` : `${c.day} ${c.monthName} ${c.year}`
      return `${isShort ? c.weekday : c.weekday.slice(0, 3)}, ${date} ${c.time}${c.zone(['', ' +hhmm'])}`
    }),
  ],
  [
    'weekday, name of the month, day, time, year',
    clocked('all', (c) => {
      const time = `${c.time}${c.fraction(SOME)}${c.zone(['', ' +hhmm'])}`
      return `${c.weekday.slice(0, 3)} ${c.monthName} ${c.paddedDay} ${time} ${c.year}`
    }),
  ],
  [
    'weekday, name of the month, day, year, time',
    clocked('all', (c) => {
      const zone = c.zone(['+hhmm'])
      return `${c.weekday.slice(0, 3)} ${c.monthName} ${c.day} ${c.year} ${c.time} GMT${zone} (Somewhere Standard Time)`
    }),
  ],
  [
    'name of the month, day, year',
    clocked('all', (c, random) =>
      random.next() < 0.5
        ? `${c.monthName} ${c.day}, ${c.year} ${c.halves}`
        : `${c.monthName} ${c.paddedDay} ${c.year} ${c.time}${c.fraction(SOME)}`,
    ),
  ],
  ['name of the month, day', clocked('year', (c) => `${c.monthName} ${c.paddedDay} ${c.time}${c.fraction(SOME)}`)],
  ['a time of day', clocked('day', (c, random) => (random.next() < 0.3 ? c.halves : `${c.time}${c.fraction(SOME)}`))],
  [
    'year, name of the month, day',
    clocked('all', (c) => `${c.year} ${c.monthName} ${c.paddedDay} ${c.time}${c.fraction(SOME)}`),
  ],
  [
    'klog',
    clocked(
      'year',
      (c, random) => `${random.pick(['I', 'W', 'E', 'F'])}${c.month}${c.day} ${c.time}${c.fraction([6])}`,
    ),
  ],
  ['glog with its year', clocked('all', (c) => `I${c.year}${c.month}${c.day} ${c.time}${c.fraction([6])}`)],
  [
    'weekday, date with hyphens',
    clocked('all', (c) => `${c.weekday.slice(0, 3)} ${c.year}-${c.month}-${c.day} ${c.time}${c.fraction([0, 6])}`),
  ],
  ['numbers with slashes', clocked('all', (c) => `${Number(c.month)}/${Number(c.day)}/${c.year} ${c.halves}`)],
  ['numbers with points', clocked('all', (c) => `${c.day}.${c.month}.${c.year} ${c.time}${c.fraction([0, 3], ',')}`)],
  [
    'MySQL',
    clocked(
      'century',
      (c) => `${c.year.slice(2)}${c.month}${c.day} ${String(c.hour).padStart(2, ' ')}${c.time.slice(2)}`,
    ),
  ],
  [
    '.NET as JSON',
    {
      range: 'all',
      print: ({ ns }, random) => {
        const zone = random.pick(['', '+0200', '-0700'])
        return { text: `/Date(${ns / 1_000_000n}${zone})/`, digits: 3, isZoned: true }
      },
    },
  ],
  [
    'TAI64N',
    {
      range: 'all',
      print: ({ ns }) => {
        const seconds = (ns / 1_000_000_000n + 10n + 2n ** 62n).toString(16)
        const nanos = Number(ns % 1_000_000_000n).toString(16)
        return { text: `@${seconds}${nanos.padStart(8, '0')}`, digits: 9, isZoned: true }
      },
    },
  ],
])
