/** No script, nothing from elsewhere, never inside another page. */
export const SIGN_IN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** The page on which an operator shows his token. @param isWrong whether he just showed a wrong one */
export function signInPage(isWrong: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Postrider queues</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0; }
form { display: grid; gap: .75rem; width: min(22rem, 90vw); }
input, button { font: inherit; padding: .5rem .75rem; }
p { color: #b00020; margin: 0; }
</style>
</head>
<body>
<form method="post" action="/queues/sign-in">
<h1>Queues</h1>
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
${isWrong ? '<p role="alert">That is not the admin token.</p>' : ''}
<button type="submit">Sign in</button>
</form>
</body>
</html>
`;
}
