import { ApiError, type ErrorDetail } from '../../api/api-error';

/** How far an upload is. */
export interface UploadProgress {
  sent: number;
  total: number;
}

/**
 * Sends a file as the part `file` of a form. `fetch` cannot say how far it is, so this is the older way.
 *
 * @throws ApiError
 */
export function sendFile<T>(
  url: string,
  file: File,
  { onProgress, signal }: { onProgress: (progress: UploadProgress) => void; signal: AbortSignal },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', url);
    call.setRequestHeader('X-Postrider-Panel', '1');
    call.setRequestHeader('accept', 'application/json');
    call.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    call.onload = () => {
      const body = readJson(call.responseText);
      if (call.status >= 200 && call.status < 300) resolve(body as T);
      else reject(refusalOf(call.status, body));
    };
    call.onerror = () => reject(new ApiError('The upload was cut off', 0));
    call.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'));
    signal.addEventListener('abort', () => call.abort());
    const form = new FormData();
    form.append('file', file, file.name);
    call.send(form);
  });
}

function refusalOf(status: number, body: unknown): ApiError {
  const { error } = (body ?? {}) as { error?: { message?: string; code?: string; details?: ErrorDetail[] } };
  const message = error?.message ?? `The gateway answered with status ${status}`;
  return new ApiError(message, status, error?.code ?? null, error?.details ?? []);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
