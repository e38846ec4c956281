/**
 * Ignores signals that the terminal sends to all processes of the group. The parent process handles them: it finishes
 * its requests and then ends its children.
 */
export function leaveSignalsToParent(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}
