import type { Body } from '../../src/resources/index.ts'

/** What writers do, step by step: known beforehand, so that a checker knows what must be there. */
export function documentId(cycle: number, writer: number): string {
  return `c${String(cycle).padStart(6, '0')}-w${writer}`
}

/** Every seventh step deletes; the next one begins again. */
export function isDeletion(step: number): boolean {
  return step % 7 === 6
}

export function bodyOf(writer: number, step: number): Body {
  return { writer, step, text: `${writer}/${step} `.repeat(1 + ((step * 31 + writer) % 200)) }
}

/** The text that must be stored after a step; `undefined` where nothing must be. */
export function stateAfter(writer: number, step: number): string | undefined {
  return step < 0 || isDeletion(step) ? undefined : JSON.stringify(bodyOf(writer, step))
}
