import { ApiError, type Refusal } from './api-error';

/** Sends a request and gives its answer. @throws ApiError on every status but 2xx, and with status 0 when no answer comes */
export async function askGateway(request: Request): Promise<Response> {
  const answer = await reach(request);
  if (answer.ok) return answer;
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  throw refusalOf(answer.status, await answer.text(), Number.isFinite(retryAfter) ? retryAfter : null);
}

/** What a refused request is answered with, as an error. @param text the body, which may be of somebody between us and the gateway */
export function refusalOf(status: number, text: string, retryAfterSeconds: number | null = null): ApiError {
  const { message, code, details } = readError(text);
  return new ApiError(
    message ?? `The gateway answered with status ${status}`,
    status,
    code ?? null,
    details ?? [],
    retryAfterSeconds,
  );
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('The gateway could not be reached', 0);
  }
}

function readError(text: string): Partial<Refusal> {
  try {
    const { error } = JSON.parse(text) as { error?: Refusal };
    return error ?? {};
  } catch {
    return {};
  }
}
