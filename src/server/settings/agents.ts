/** Authenticated sender of a request to `/mcp`. */
export interface AgentCaller {
  /** User name of the key; `undefined` if the key has no user. */
  readonly user: string | undefined
  /** Answers an HTTP API request with the caller's key. */
  readonly ask: (path: string, init: AgentRequest) => Promise<Response>
  readonly nowNs: () => bigint
}

/** A request to the HTTP API, without the headers that identify the caller. */
export interface AgentRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Answers MCP requests at `/mcp`; created by `agentEndpoint` of `sluice/mcp`. */
export interface AgentEndpoint {
  answer(request: Request, caller: AgentCaller): Promise<Response>
}

/** Loads the endpoint at its first request. */
export type LoadAgentEndpoint = () => Promise<AgentEndpoint>
