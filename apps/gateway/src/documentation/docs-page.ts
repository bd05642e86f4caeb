/** Everything comes from this gateway; Swagger UI writes styles into its elements. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page that shows the API document. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postrider API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="document"></div>
<noscript>This page needs JavaScript. The document itself is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** A file of its own, so that the page needs no inline script. */
export const DOCS_START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#document', validatorUrl: null, deepLinking: true });
`;
