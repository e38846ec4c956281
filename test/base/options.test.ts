import { describe, expect, test } from 'vitest'
import { Options, SluiceError, checkArgument } from '../../src/base/index.ts'

interface Sample {
  readonly scope?: object | (() => void)
  readonly limits?: { readonly rows?: number } | undefined
  readonly mode?: 'fast' | 'slow'
  readonly names?: readonly string[]
  readonly isOpen?: boolean
}

const options = new Options<Sample>(
  {
    scope: ['object', 'function'],
    limits: Options.like<{ rows?: number }>({ rows: 1 }),
    mode: { words: { fast: true, slow: true } },
    names: 'list',
    isOpen: 'boolean',
  },
  ['scope'],
)

function told(given: unknown): readonly string[] {
  try {
    options.check(given, '`make`')
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return error.diagnostics.map(({ origin, message }) => {
      const path = origin.kind === 'json' ? origin.path.join('.') : ''
      return `${path}: ${message}`
    })
  }
  return []
}

describe('options', () => {
  test('take known members, and members that are undefined', () => {
    const given = { scope: () => undefined, limits: { rows: 2 }, mode: 'fast', names: [], isOpen: undefined }
    expect(told(given)).toEqual([])
  })

  test.each<readonly [unknown, string]>([
    [{ scopes: {}, scope: {} }, 'scopes: `scopes` is not an option of `make`. Did you mean `scope`?'],
    [{ scope: {}, zzz: 1 }, 'zzz: `zzz` is not an option of `make`.'],
    [
      { scope: {}, limits: { row: 1 } },
      'limits.row: `limits.row` is not an option of `make`. Did you mean `limits.rows`?',
    ],
    [
      { scope: {}, limits: { rows: '5' } },
      'limits.rows: The option `limits.rows` of `make` is the string `5`; it must be a number that is not below 0.',
    ],
    [{ scope: 5 }, 'scope: The option `scope` of `make` is a number; it must be an object or a function.'],
    [{ scope: null }, 'scope: The option `scope` of `make` is `null`; it must be an object or a function.'],
    [{ scope: [] }, 'scope: The option `scope` of `make` is a list; it must be an object or a function.'],
    [
      { scope: {}, mode: 'quick' },
      'mode: The option `mode` of `make` is the string `quick`; it must be `fast` or `slow`.',
    ],
    [
      { scope: {}, mode: 'toString' },
      'mode: The option `mode` of `make` is the string `toString`; it must be `fast` or `slow`.',
    ],
    [{ scope: {}, isOpen: 1 }, 'isOpen: The option `isOpen` of `make` is a number; it must be `true` or `false`.'],
    [{}, 'scope: The option `scope` of `make` is missing; it must be an object or a function.'],
    ['text', ': The options of `make` must be an object, not the string `text`.'],
    [undefined, ': The options of `make` must be an object, not nothing.'],
    [JSON.parse('{"__proto__": 1, "scope": {}}'), '__proto__: `__proto__` is not an option of `make`.'],
  ])('refuse %j', (given, message) => {
    expect(told(given)).toEqual([message])
  })

  test('list the known members', () => {
    const [first] = [...options.wrong({ scope: {}, zzz: 1 }, '`make`', [])]
    expect(first?.notes).toEqual(['The options are `scope`, `limits`, `mode`, `names` and `isOpen`.'])
  })

  test('tell of every fault at once', () => {
    expect(told({ a: 1, mode: 2 })).toHaveLength(3)
  })
})

test('a wrong argument is reported with the correct call', () => {
  const call = (): void => checkArgument(false, undefined, 'a text', 'parse(text)')
  expect(call).toThrow('`parse` needs a text, not nothing.')
})
