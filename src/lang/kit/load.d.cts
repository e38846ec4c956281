/** Loads Chevrotain with the first call; later calls return the same module. */
export declare function loadEngine(): typeof import('./engine.ts', { with: { 'resolution-mode': 'import' } })
