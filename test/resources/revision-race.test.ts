// @module-tag slow
import { expect, test } from 'vitest'
import { revisionRace } from './revision-race.ts'
import { inFolder, stores } from './stores.ts'

test.each(stores)('64 writers %s: every revision has one winner and no update is lost', (where, open) =>
  inFolder(async (folder) => {
    const store = await open(folder)
    const { won, stale, faults } = await revisionRace(store, 64, where === 'in SQLite' ? 300 : 1000)
    expect(faults).toEqual([])
    expect(won).toBeGreaterThanOrEqual(300)
    expect(stale).toBeGreaterThan(won)
    await store.close()
  }),
)
