/** `npm run trial -- <name> [options]`: long runs that take a number of rounds and a seed; `npm test` runs each of them briefly. */
const trials: Readonly<Record<string, () => Promise<unknown>>> = {
  agents: () => import('./agents/main.ts'),
  'bad-requests': () => import('./server/bad-requests/main.ts'),
  cancel: () => import('./cancels/main.ts'),
  damage: () => import('./damage/main.ts'),
  faults: () => import('./faults/main.ts'),
  forged: () => import('./damage/forged-main.ts'),
  injection: () => import('./injection/main.ts'),
  'kill-documents': () => import('./resources/kill-main.ts'),
  'kill-ingest': () => import('./ingest/kill-loop.ts'),
  sigterm: () => import('./soak/sigterm-main.ts'),
  'small-sizes': () => import('./sizes/main.ts'),
  soak: () => import('./soak/main.ts'),
  mutants: () => import('./mutants/main.ts'),
}

const name = process.argv[2] ?? ''
if (Object.hasOwn(trials, name)) {
  process.argv.splice(2, 1)
  try {
    await trials[name]?.()
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error
    console.error(`${error.message}\nThe options of each trial stand at the head of its file.`)
    process.exitCode = 2
  }
} else {
  console.error(`usage: npm run trial -- ${Object.keys(trials).join('|')} [options]`)
  process.exitCode = 2
}
