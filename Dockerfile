# The image of Facet: its package on a small system, without root and with a file system that is only read.
#   docker build -t facet .
#   docker run -p 127.0.0.1:3000:3000 -v facet:/data --read-only --tmpfs /tmp facet

FROM node:26.10.0-bookworm-slim AS package
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run pack -- /out
WORKDIR /facet
# The Node that the package brings is that of the image.
RUN npm install --ignore-scripts --no-audit --no-fund --omit=dev /out/facet-base-*.tgz \
  && rm -rf node_modules/node-* node_modules/facet-base/node_modules/node-*

FROM node:26.10.0-bookworm-slim
# Two arenas of the C library for all threads: a tenth less memory after many searches.
ENV MALLOC_ARENA_MAX=2
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/facet.db
COPY --from=package /facet /facet
RUN mkdir --mode=700 /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "require(process.env.TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/api/health', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "/facet/node_modules/facet-base/bin/facet.js"]
CMD ["start"]
