import { beforeEach, describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import { LiveKeys, printKeyFile, type KeyFileView } from '../../../src/server/index.ts'
import { KEY, SALT, SEARCH, appOf, key, post, searchBody, type Logged } from '../harness/harness.ts'

let text: string | undefined
let stamp: string
let reads: number
let logged: Logged[]

const file: KeyFileView = {
  stamp: () => {
    if (text === undefined) throw new Error('ENOENT')
    return stamp
  },
  read: () => {
    reads++
    if (text === undefined) throw new Error('ENOENT')
    return text
  },
}

const log = {
  info: (fields: Readonly<Record<string, unknown>>, message: string) => logged.push({ level: 'info', fields, message }),
  error: (fields: Readonly<Record<string, unknown>>, message: string) =>
    logged.push({ level: 'error', fields, message }),
}

function write(content: string | undefined): void {
  text = content
  stamp += '+'
}

const fileOf = (...keys: readonly string[]): string =>
  printKeyFile(
    SALT,
    keys.map((each) => key(each)),
  )

beforeEach(() => {
  stamp = ''
  reads = 0
  logged = []
  write(fileOf(KEY, 'two'))
})

describe('a key file that changes', () => {
  test('a file that could not be read once is read again at the next request', () => {
    let isBusy = false
    const sometimes: KeyFileView = {
      stamp: () => stamp,
      read: () => {
        if (isBusy) throw new Error('EMFILE: too many open files')
        return file.read()
      },
    }
    const keys = new LiveKeys(sometimes, log)
    isBusy = true
    write(fileOf(KEY, 'three'))
    expect(() => keys.find('three')).toThrow()
    expect(() => keys.find('three')).toThrow()
    isBusy = false
    expect(keys.find('three')).toBeDefined()
    expect(logged.map(({ level }) => level)).toEqual(['error', 'info'])
  })

  test('a revoked key is refused at the next request, a new one let in', async () => {
    const app = appOf({ keys: new LiveKeys(file, log) })
    const status = async (given: string): Promise<number> =>
      (await post(app, SEARCH, searchBody, { Authorization: `Bearer ${given}` })).status
    expect([await status('two'), await status('three')]).toEqual([200, 401])
    write(fileOf(KEY, 'three'))
    expect([await status('two'), await status('three'), await status(KEY)]).toEqual([401, 200, 200])
    write(fileOf())
    expect(await status(KEY)).toBe(401)
    expect(logged.map(({ level, fields }) => [level, fields['keys']])).toEqual([
      ['info', 2],
      ['info', 0],
    ])
  })

  test('it is read only when it is another one', () => {
    const keys = new LiveKeys(file, log)
    for (let i = 0; i < 100; i++) keys.find(KEY)
    expect(reads).toBe(1)
    write(text)
    for (let i = 0; i < 100; i++) keys.find(KEY)
    expect(reads).toBe(2)
  })

  test.each([
    ['malformed', '{"salt":"', 'wire/not-json'],
    ['half written', fileOf(KEY).slice(0, 60), 'wire/not-json'],
    ['empty', '', 'wire/empty-body'],
    ['another shape', '[]', undefined],
    ['gone', undefined, 'unreadable'],
  ])('while it is %s nobody is let in, which is said once', (_, content, code) => {
    const keys = new LiveKeys(file, log)
    write(content)
    for (let i = 0; i < 5; i++) expect(() => keys.find('two')).toThrow('keys of this server cannot be read')
    expect(logged).toHaveLength(1)
    expect(logged[0]).toMatchObject({ level: 'error' })
    if (code !== undefined) expect(logged[0]?.fields['codes']).toEqual([code])
    expect(JSON.stringify(logged)).not.toContain(SALT)
    write(fileOf('back'))
    expect([keys.find('two'), keys.find('back') !== undefined]).toEqual([undefined, true])
  })

  test('a key file that changes while it is read is read again at the next request', () => {
    const slow: KeyFileView = {
      stamp: file.stamp,
      read: () => {
        const content = file.read()
        if (reads === 2) write(fileOf('late'))
        return content
      },
    }
    const keys = new LiveKeys(slow, log)
    write(fileOf('early'))
    expect(keys.find('early')).toBeDefined()
    expect([keys.find('early'), keys.find('late') !== undefined]).toEqual([undefined, true])
  })

  test('without a good file there is no server', () => {
    write('{')
    expect(() => new LiveKeys(file, log)).toThrow(SluiceError)
    write(undefined)
    expect(() => new LiveKeys(file, log)).toThrow('ENOENT')
  })
})
