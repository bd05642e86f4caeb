/** No script, nothing from elsewhere, never inside another page. */
export const SIGN_IN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * The page on which operators show their token.
 *
 * @param to where it leads: a path of ours, without characters that HTML reads
 * @param problem why the last one was not taken; null at first
 */
export function signInPage(to: string, problem: string | null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Postrider: sign in</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0; }
form { display: grid; gap: .75rem; width: min(22rem, 90vw); }
input, button { font: inherit; padding: .5rem .75rem; }
p { color: #b00020; margin: 0; }
</style>
</head>
<body>
<form method="post" action="/queues/sign-in">
<h1>Operator</h1>
<input type="hidden" name="to" value="${to}">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
${problem === null ? '' : `<p role="alert">${problem}</p>`}
<button type="submit">Sign in</button>
</form>
</body>
</html>
`;
}
