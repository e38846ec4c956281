/**
 * Loads a module that the starting program names for its threads, never a request. The only place where a string
 * becomes code.
 */
export async function namedModule<Exports>(url: string): Promise<Exports> {
  return (await import(url)) as Exports
}
