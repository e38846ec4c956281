import { expect, test } from 'vitest'
import { KeyWork } from '../../src/workers/key-work.ts'

const none = (): number => 0

test('a key is heavier that has had twice as much, and not little', () => {
  const work = new KeyWork()
  work.add('light', 22, 0)
  work.add('heavy', 40, 0)
  expect(work.isHeavier('heavy', 'light', none, 0)).toBe(false)
  expect(work.isHeavy('heavy', none, 0)).toBe(false)
  work.add('heavy', 40, 0)
  expect(work.isHeavier('heavy', 'light', none, 0)).toBe(true)
  expect(work.isHeavy('heavy', none, 0)).toBe(true)
  expect(work.isHeavier('heavy', 'nobody', none, 0)).toBe(true)
  expect(work.isHeavier('light', 'heavy', none, 0)).toBe(false)
  expect(work.isHeavy('light', none, 0)).toBe(false)
  expect(work.isHeavier('heavy', 'heavy', none, 0)).toBe(false)
})

test('work is forgotten by and by', () => {
  const work = new KeyWork()
  work.add('heavy', 80, 0)
  expect(work.isHeavier('heavy', 'light', none, 500)).toBe(true)
  expect(work.isHeavier('heavy', 'light', none, 1000)).toBe(false)
  work.add('heavy', 20, 1000)
  expect(work.isHeavier('heavy', 'light', none, 1000)).toBe(true)
  work.trim(20_000)
  expect(work.isHeavier('heavy', 'light', none, 20_000)).toBe(false)
})

test('many jobs at once are heavy before they have worked', () => {
  const work = new KeyWork()
  for (let i = 0; i < 20; i++) work.begin('light', 0)
  work.add('light', 100, 0)
  const jobs: Record<string, number> = { storm: 6, light: 2, waiting: 5, few: 3 }
  const jobsOf = (key: string): number => jobs[key] ?? 0
  expect(work.isHeavier('storm', 'light', jobsOf, 0)).toBe(true)
  expect(work.isHeavier('storm', 'waiting', jobsOf, 0)).toBe(false)
  expect(work.isHeavier('few', 'nobody', jobsOf, 0)).toBe(false)
})

test('a line of short jobs is not heavier than few long ones, nor than one that has waited for these', () => {
  const work = new KeyWork()
  for (let i = 0; i < 50; i++) work.begin('light', 0)
  work.add('light', 200, 0)
  for (let i = 0; i < 8; i++) work.begin('heavy', 0)
  work.add('heavy', 800, 0)
  const jobsOf = (key: string): number => (key === 'light' ? 30 : 1)
  expect(work.isHeavier('light', 'heavy', jobsOf, 0)).toBe(false)
  expect(work.isHeavier('heavy', 'light', jobsOf, 0)).toBe(true)
  // However much of a thread of its own it has had by then.
  work.add('light', 500, 0)
  expect(work.isHeavier('light', 'heavy', jobsOf, 0)).toBe(false)
  expect(work.isHeavier('heavy', 'light', jobsOf, 0)).toBe(true)
})

test('a key is light once short jobs of it have ended, for a while', () => {
  const work = new KeyWork()
  for (let i = 0; i < 3; i++) work.begin('new', 0)
  expect(work.isLight('new', 0)).toBe(false)
  work.add('new', 25, 0)
  for (let i = 0; i < 2; i++) work.end('new', 0)
  expect(work.isLight('new', 0)).toBe(false)
  work.end('new', 0)
  expect(work.isLight('new', 0)).toBe(true)
  expect(work.isLight('new', 3000)).toBe(true)
  expect(work.isLight('new', 10_000)).toBe(false)
})
