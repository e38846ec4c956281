import { describe, expect, test } from 'vitest'
import { SluiceError, nowhere } from '../../../src/base/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { durableDiagnostic, type OpenFile } from '../../../src/store/durable/index.ts'
import { SampleStore, appendDelta, type SamplesPart, type SamplesSource } from '../../../src/store/samples/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'
import { EVERYTHING } from '../sample-files/file-of.ts'
import { FOLDER, START_MS, openSamples } from './open-samples.ts'

const systemError = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'open' })

/** A disk on which sample files cannot be opened, or not read, while `code` is set. */
class SulkingFiles extends CrashFiles {
  code: string | undefined
  at: 'open' | 'read' = 'open'

  override openToRead(path: string): OpenFile {
    const { code } = this
    if (code === undefined || !path.endsWith('.samples')) return super.openToRead(path)
    if (this.at === 'open') throw systemError(code)
    const file = super.openToRead(path)
    return {
      size: () => file.size(),
      read: () => {
        throw systemError(this.code ?? code)
      },
      write: () => undefined,
      truncate: () => undefined,
      sync: () => undefined,
      syncLater: () => Promise.resolve(),
      identity: () => file.identity(),
      close: () => file.close(),
    }
  }
}

const text = (round: number): string =>
  `# TYPE requests counter\n# HELP requests served\nrequests_total{pod="a"} ${round} ${START_MS / 1000 + round}\n# EOF\n`

async function filled(): Promise<{ readonly files: SulkingFiles; readonly shown: readonly unknown[] }> {
  const files = new SulkingFiles({}, new Map(), ['/disk'])
  const server = await openSamples(files)
  for (let round = 0; round < 30; round++) {
    await server.send(text(round))
    await server.persister.settled()
  }
  const shown = server.shown()
  await server.persister.close()
  expect(server.files().length).toBeGreaterThan(0)
  return { files, shown }
}

const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof SluiceError) return error.code
    throw error
  }
  return 'none'
}

describe('a file of samples that the system cannot read at the start', () => {
  test.each([
    ['EMFILE', 'open'],
    ['ENFILE', 'open'],
    ['EACCES', 'open'],
    ['EIO', 'open'],
    ['ENOMEM', 'open'],
    ['EACCES', 'read'],
    ['EIO', 'read'],
    ['ESTALE', 'read'],
  ] as const)('is read without a restart once it can be (%s when it is %s)', async (code, at) => {
    const { files, shown } = await filled()
    Object.assign(files, { code, at })
    const server = await openSamples(files)
    expect(server.failures.length).toBeGreaterThan(0)
    for (let tries = 0; tries < 2; tries++) {
      expect(codeOf(() => server.shown())).toBe('durable/read-failed')
      expect(codeOf(() => server.target.samples.sources.reopen())).toBe('durable/read-failed')
    }
    files.code = undefined
    expect(server.shown()).toEqual(shown)
    expect(server.target.samples.sources.unreadable).toEqual([])
    // From here on the file is merged, kept and listed like any other.
    for (let round = 30; round < 60; round++) {
      await server.send(text(round))
      await server.persister.settled()
    }
    const now = server.shown()
    expect(JSON.stringify(now)).toContain('59')
    await server.persister.close()
    const again = await openSamples(files)
    expect(again.failures).toEqual([])
    expect(again.shown()).toEqual(now)
    await again.persister.close()
  })

  test('stays refused while it is damaged, whatever it was at first', async () => {
    const { files } = await filled()
    files.code = 'EACCES'
    const server = await openSamples(files)
    expect(codeOf(() => server.shown())).toBe('durable/read-failed')
    files.code = undefined
    const [entry] = server.files()
    const path = `${FOLDER}/segments/default/${entry?.name ?? ''}`
    const file = files.open(path)
    const bytes = Buffer.alloc(file.size())
    file.read(bytes, 0)
    file.write(
      bytes.map((byte, at) => (at === bytes.length - 3 ? byte ^ 1 : byte)),
      0,
    )
    file.close()
    for (let tries = 0; tries < 2; tries++) expect(codeOf(() => server.shown())).toMatch(/^durable\/(?!read-failed)/)
    // Sums continue, because waiting does not make a damaged file readable.
    expect(codeOf(() => server.target.samples.sources.reopen())).toBe('none')
    await server.persister.close()
  })
})

describe('a sum whose last sample cannot be read', () => {
  const labels = Labels.of({ __name__: 'requests' })

  /** Returns a store whose last sample, 40 at 1000 ms, lies in a part that cannot be read. */
  function storeWith(error: () => unknown): SampleStore {
    const store = new SampleStore()
    store.writer.append(labels, { timeMs: 1000, value: 40 })
    const frozen = store.sources.freeze(1)
    const own = frozen.part(0)
    const part = new Proxy(own as SamplesPart, {
      get: (target, name) => {
        const failure = name === 'lastBefore' ? error() : undefined
        if (failure !== undefined)
          return () => {
            throw failure
          }
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const source: SamplesSource = new Proxy(frozen, {
      get: (target, name) => {
        if (name === 'part') return () => part
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    store.sources.replace([frozen], source)
    return store
  }

  const diagnosed = (code: 'read-failed' | 'damaged'): SluiceError =>
    new SluiceError([
      code === 'damaged'
        ? durableDiagnostic(code, { part: 'x', what: 'y' }, nowhere)
        : durableDiagnostic(code, { part: 'x', reason: 'EIO' }, nowhere),
    ])

  test('is not begun anew where the system failed, and goes on later', () => {
    let failure: unknown = diagnosed('read-failed')
    const store = storeWith(() => failure)
    const series = store.writer.getOrCreateSeries(labels)
    expect(codeOf(() => appendDelta(series, { timeMs: 2000, value: 2 }))).toBe('durable/read-failed')
    failure = undefined
    expect(appendDelta(series, { timeMs: 2000, value: 2 })).toBe(true)
    expect([...(store.reader.select(EVERYTHING)[0]?.values ?? [])]).toEqual([40, 42])
  })

  test('is begun anew where the part is damaged', () => {
    const store = storeWith(() => diagnosed('damaged'))
    expect(appendDelta(store.writer.getOrCreateSeries(labels), { timeMs: 2000, value: 2 })).toBe(true)
    expect([...(store.reader.select(EVERYTHING)[0]?.values ?? [])]).toEqual([40, 2])
  })
})
