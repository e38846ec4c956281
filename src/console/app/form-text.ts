/** Returns the text of a field of a form, without blanks around it. */
export function formText(form: EventTarget | null, name: string): string {
  const value = form instanceof HTMLFormElement ? new FormData(form).get(name) : null
  return typeof value === 'string' ? value.trim() : ''
}
