import { useCallback, useEffect, useState } from 'preact/hooks'
import type { PlainJson } from '../../data/index.ts'
import { hashOf, holdView, view, type View } from '../app/location.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { isObject, isSame, stringOf, type FormState, type JsonObject } from './model.ts'

/** State of a definition that is being edited. */
export interface Draft {
  readonly form: FormState
  /** The definition as it was when editing began. */
  readonly base: JsonObject
  /** Entity tag of `base`; empty for a new definition. */
  readonly tag: string
  /** Text of the whole definition in a text view, while it cannot be parsed. */
  readonly source: string
}

export function draftOf(base: JsonObject, tag: string): Draft {
  return { form: { value: base, texts: {} }, base, tag, source: '' }
}

export function isChanged({ form, base, source }: Draft): boolean {
  return source !== '' || Object.keys(form.texts).length > 0 || !isSame(form.value, base)
}

function draftOfJson(stored: PlainJson | undefined): Draft | undefined {
  if (!isObject(stored) || !isObject(stored['form']) || !isObject(stored['form']['value'])) return undefined
  return stored as unknown as Draft
}

export interface Drafting {
  readonly draft: Draft
  readonly isChanged: boolean
  /** True if the draft was restored after leaving or reloading the page, or after signing out. */
  readonly isRestored: boolean
  readonly change: (draft: Draft) => void
  /** Discards all changes and starts with another draft. */
  readonly begin: (draft: Draft) => void
}

/** Returns a draft that survives leaving the page. */
export function useDraft(name: string, create: () => Draft): Drafting {
  const [{ draft, isRestored }, setState] = useState(() => {
    const stored = draftOfJson(readDraft(name))
    return { draft: stored ?? create(), isRestored: stored !== undefined && isChanged(stored) }
  })
  const change = useCallback(
    (next: Draft): void => {
      keepDraft(name, isChanged(next) ? (next as unknown as PlainJson) : undefined)
      setState((before) => ({ draft: next, isRestored: before.isRestored && isChanged(next) }))
    },
    [name],
  )
  const begin = useCallback(
    (next: Draft): void => {
      keepDraft(name, undefined)
      setState({ draft: next, isRestored: false })
    },
    [name],
  )
  return { draft, isChanged: isChanged(draft), isRestored, change, begin }
}

/** Returns the user's own version that was set aside after a conflict, as text. Setting an empty text removes it. */
export function useKeptText(name: string): readonly [text: string, set: (text: string) => void] {
  const key = `${name}:kept`
  const [text, setText] = useState(() => stringOf(readDraft(key)))
  return [
    text,
    (next) => {
      keepDraft(key, next === '' ? undefined : next)
      setText(next)
    },
  ]
}

/** Navigation that was stopped because of unsaved changes. `next` is the requested view. */
export interface Leaving {
  readonly next: View | undefined
  readonly stay: () => void
  /** Allows leaving the view once; call it before `goTo`. */
  readonly release: () => void
}

/** Asks for confirmation before leaving a view with unsaved changes, reloading, or closing the tab. */
export function useLeaving(isHeld: boolean, isOwn: (next: View) => boolean): Leaving {
  const [next, setNext] = useState<View>()
  const [hold] = useState<{ release: () => void }>({ release: () => undefined })
  useEffect(() => {
    if (!isHeld) return undefined
    hold.release = holdView((wanted) => {
      const isHere = hashOf(wanted) === hashOf(view.peek()) || isOwn(wanted)
      if (!isHere) setNext(wanted)
      return isHere
    })
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => {
      hold.release()
      removeEventListener('beforeunload', ask)
    }
  }, [isHeld])
  return { next, stay: () => setNext(undefined), release: () => hold.release() }
}
