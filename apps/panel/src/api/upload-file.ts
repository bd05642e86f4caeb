import { ApiError, asApiError } from './api-error';
import { PANEL_HEADERS, readAnswer, refusalOf } from './client';

/** The progress of an upload. */
export interface UploadProgress {
  sent: number;
  total: number;
}

/** A file on its way. */
interface Upload {
  body: XMLHttpRequestBodyInit;
  headers?: Readonly<Record<string, string>>;
  onProgress: (progress: UploadProgress) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file. `fetch` cannot say how far it is, so this is the older way.
 *
 * @returns the body of the answer
 * @throws ApiError; DOMException when `signal` stopped it
 */
export function uploadFile<Answer>(url: string, { body, headers = {}, onProgress, signal }: Upload): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', url);
    for (const [name, value] of Object.entries({ ...PANEL_HEADERS, ...headers })) call.setRequestHeader(name, value);
    call.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    call.onload = () => {
      const { status, responseText } = call;
      try {
        if (status < 200 || status > 299) throw refusalOf(status, responseText, call.getResponseHeader('retry-after'));
        resolve(readAnswer(status, responseText) as Answer);
      } catch (error) {
        reject(asApiError(error));
      }
    };
    call.onerror = () => reject(new ApiError('The connection was lost during the upload', 0));
    call.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'));
    signal.addEventListener('abort', () => call.abort());
    call.send(body);
  });
}
