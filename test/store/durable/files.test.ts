import { execFileSync } from 'node:child_process'
import fs, { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { diskFiles, makeFolder, readFile, replaceFile } from '../../../src/store/durable/index.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-files-'))
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

test('syncs are those of the system: of data and length, at once or later, and of folders', async () => {
  const now = vi.spyOn(fs, 'fdatasyncSync')
  const later = vi.spyOn(fs, 'fdatasync')
  const ofFolder = vi.spyOn(fs, 'fsyncSync')
  const file = diskFiles.create(join(folder, 'a'))
  file.write(Buffer.from('abc'), 0)
  file.sync()
  expect(now).toHaveBeenCalledTimes(1)
  await file.syncLater()
  expect(later).toHaveBeenCalledTimes(1)
  file.close()
  diskFiles.syncFolder(folder)
  expect(ofFolder).toHaveBeenCalledTimes(1)
  await expect(file.syncLater()).rejects.toThrow()
})

test('a file is replaced whole, synced before it gets its name, and only its owner can read it', () => {
  const calls: string[] = []
  const told = (name: 'fdatasyncSync' | 'renameSync' | 'fsyncSync'): void => {
    const original = fs[name] as (...args: unknown[]) => void
    vi.spyOn(fs, name).mockImplementation((...args: unknown[]) => {
      calls.push(name)
      original(...args)
    })
  }
  told('fdatasyncSync')
  told('renameSync')
  told('fsyncSync')
  const path = join(folder, 'keys.json')
  replaceFile(diskFiles, path, Buffer.from('first'))
  replaceFile(diskFiles, path, Buffer.from('2'))
  expect(readFile(diskFiles, path, 9)?.toString()).toBe('2')
  expect(readFile(diskFiles, path, 0)?.length).toBe(0)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(calls.slice(0, 3)).toEqual(['fdatasyncSync', 'renameSync', 'fsyncSync'])
  expect(readFile(diskFiles, join(folder, 'none'), 9)).toBeUndefined()
})

test.runIf(process.platform !== 'win32')('a pipe in the place of a file is not waited for', () => {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const read = diskFiles.openToRead(path)
  expect(() => read.read(Buffer.alloc(8), 0)).toThrow('ESPIPE')
  read.close()
})

test('of a new folder every name above it is synced', () => {
  const ofFolder = vi.spyOn(fs, 'fsyncSync')
  makeFolder(diskFiles, join(folder, 'a/b/c'))
  expect(ofFolder).toHaveBeenCalledTimes(3)
  makeFolder(diskFiles, join(folder, 'a/b/c'))
  expect(ofFolder).toHaveBeenCalledTimes(3)
})
