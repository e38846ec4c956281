import { parseJsonPlain, printJsonExact, type PlainJson } from '../../data/index.ts'
import { session } from '../app/services.ts'

/**
 * Texts that the user typed and that no server has yet. They last as long as the tab: through a failed save, a lost
 * server, a reload and signing out. Each user has own ones.
 */
function keyOf(name: string): string {
  const who = session.peek()
  return `sluice:draft:${who === undefined || who === 'signed-out' ? '' : who.user}:${name}`
}

/** For a browser that refuses storage. */
const inMemory = new Map<string, string>()

export function readDraft(name: string): PlainJson | undefined {
  const key = keyOf(name)
  try {
    const stored = sessionStorage.getItem(key) ?? inMemory.get(key)
    return stored === undefined ? undefined : parseJsonPlain(stored)
  } catch {
    const stored = inMemory.get(key)
    return stored === undefined ? undefined : parseJsonPlain(stored)
  }
}

/** Keeps a draft; `undefined` forgets it. */
export function keepDraft(name: string, draft: PlainJson | undefined): void {
  const key = keyOf(name)
  const text = draft === undefined ? undefined : printJsonExact(draft)
  if (text === undefined) inMemory.delete(key)
  else inMemory.set(key, text)
  try {
    if (text === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Storage is full or refused; the draft lasts as long as the page.
  }
}
