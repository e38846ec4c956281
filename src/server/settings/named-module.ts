/**
 * Imports a module by a URL that comes from the program which starts the server, never from a request. This is the only
 * dynamic import of a string.
 */
export async function namedModule<Exports>(url: string): Promise<Exports> {
  return (await import(url)) as Exports
}
