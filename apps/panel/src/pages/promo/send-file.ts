import { ApiError } from '../../api/api-error';
import { refusalOf } from '../../api/ask-gateway';
import { PANEL_HEADERS } from '../../api/client';
import type { paths } from '../../api/generated/document';

type Upload = paths['/api/containers/updatePromoCodes/{track_id}' | '/api/containers/updateGlobalPromoCodes']['post'];

/** The answer to an upload that is imported after it. */
type Accepted = Upload['responses'][202]['content']['application/json'];

/** How far an upload is. */
export interface UploadProgress {
  sent: number;
  total: number;
}

/**
 * Sends a file of codes as the part `file` of a form. `fetch` cannot say how far it is, so this is the older way.
 *
 * @param url of `uploadUrl`
 *
 * @throws ApiError
 */
export function sendFile(
  url: string,
  file: File,
  { onProgress, signal }: { onProgress: (progress: UploadProgress) => void; signal: AbortSignal },
): Promise<Accepted> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', url);
    for (const [name, value] of Object.entries(PANEL_HEADERS)) call.setRequestHeader(name, value);
    call.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    call.onload = () => {
      try {
        if (call.status >= 200 && call.status < 300) resolve(JSON.parse(call.responseText) as Accepted);
        else reject(refusalOf(call.status, call.responseText));
      } catch {
        reject(refusalOf(call.status, call.responseText));
      }
    };
    call.onerror = () => reject(new ApiError('The upload was cut off', 0));
    call.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'));
    signal.addEventListener('abort', () => call.abort());
    const form = new FormData();
    form.append('file', file, file.name);
    call.send(form);
  });
}
