package org.panamaverbs.iwarp;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.engine.device.SocketsReport;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.shm.DirectDomain;
import org.panamaverbs.iwarp.shm.DirectDomains;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.PublicApi;
import org.panamaverbs.spi.support.DeferredLog;

/** The arrows of docs/architecture.md: who may know whom. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer()
            .importPackages(
                    "org.panamaverbs.memory", "org.panamaverbs.api", "org.panamaverbs.spi", "org.panamaverbs.iwarp");

    @Test
    void layersPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs..")
                .layer("memory")
                .definedBy("org.panamaverbs.memory..")
                .layer("api")
                .definedBy("org.panamaverbs.api..", "org.panamaverbs.spi..")
                .layer("wire")
                .definedBy("org.panamaverbs.iwarp.wire")
                .layer("core")
                .definedBy("org.panamaverbs.iwarp.core..")
                .layer("iovec")
                .definedBy("org.panamaverbs.iwarp.iovec")
                .layer("shm")
                .definedBy("org.panamaverbs.iwarp.shm")
                .layer("net")
                .definedBy("org.panamaverbs.iwarp.net..")
                .layer("engine")
                .definedBy("org.panamaverbs.iwarp.engine..")
                .layer("verbs")
                .definedBy("org.panamaverbs.iwarp.verbs")
                .layer("provider")
                .definedBy("org.panamaverbs.iwarp")
                .whereLayer("provider")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("verbs")
                .mayOnlyBeAccessedByLayers("provider")
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("shm")
                .mayOnlyBeAccessedByLayers("engine")
                .whereLayer("net")
                .mayOnlyBeAccessedByLayers("shm", "engine")
                .whereLayer("core")
                .mayOnlyBeAccessedByLayers("shm", "engine")
                .whereLayer("iovec")
                .mayOnlyBeAccessedByLayers("core", "shm", "net", "engine")
                .whereLayer("wire")
                .mayOnlyBeAccessedByLayers("core", "engine")
                .whereLayer("api")
                .mayOnlyBeAccessedByLayers("core", "net", "shm", "engine", "verbs", "provider")
                .whereLayer("memory")
                .mayOnlyBeAccessedByLayers("api", "wire", "core", "shm", "engine", "verbs")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /** Memory and set-up know nothing of streams, nor of each other. */
    @Test
    void packagesOfTheCorePointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.iwarp.core..")
                .layer("memory")
                .definedBy("org.panamaverbs.iwarp.core.memory")
                .layer("setup")
                .definedBy("org.panamaverbs.iwarp.core.setup")
                .layer("core")
                .definedBy("org.panamaverbs.iwarp.core")
                .whereLayer("core")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("setup")
                .mayOnlyBeAccessedByLayers("core")
                .whereLayer("memory")
                .mayOnlyBeAccessedByLayers("core")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("org.panamaverbs.iwarp.core..")));
    }

    /** Sockets of the Internet know none of this host alone. */
    @Test
    void packagesOfTheSocketsPointDownwards() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.iwarp.net")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.panamaverbs.iwarp.net.unix")
                .check(CLASSES);
    }

    /** The packages of the engine, each of which knows only those before it. */
    @Test
    void packagesOfTheEnginePointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.iwarp.engine..")
                .layer("device")
                .definedBy("org.panamaverbs.iwarp.engine.device")
                .layer("transport")
                .definedBy("org.panamaverbs.iwarp.engine.transport")
                .layer("engine")
                .definedBy("org.panamaverbs.iwarp.engine")
                .layer("cm")
                .definedBy("org.panamaverbs.iwarp.engine.cm")
                .whereLayer("cm")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("cm")
                .whereLayer("transport")
                .mayOnlyBeAccessedByLayers("engine", "cm")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("org.panamaverbs.iwarp.engine..")));
    }

    /** Sockets know nothing of verbs. */
    @Test
    void netKnowsTheLogAloneOfTheApi() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.iwarp.net..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.panamaverbs.api..", "org.panamaverbs.spi..")
                        .and(not(belongToAnyOf(DeferredLog.class))))
                .check(CLASSES);
    }

    /** A handler of the application's must not be called under the lock of what it may call into. */
    @Test
    void whatIsLoggedIsWrittenLater() {
        noClasses()
                .that(not(belongToAnyOf(SocketsReport.class, Device.class)))
                .and()
                .resideInAPackage("org.panamaverbs.iwarp..")
                .should()
                .callMethod(System.class, "getLogger", String.class)
                .check(CLASSES);
    }

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES.that(resideInAPackage("org.panamaverbs.iwarp..")));
    }

    /**
     * What is said on the wire, and what is heard, is the core's: the engine has names of codes and bytes as values,
     * and the Offer of shared memory, which is not of a stream.
     */
    @Test
    void engineMakesAndReadsNoHeaders() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.iwarp.engine..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.panamaverbs.iwarp.wire")
                        .and(not(belongToAnyOf(
                                Octets.class,
                                TerminateCode.class,
                                ShmOffer.class,
                                ShmAnswer.class,
                                ShmAnswer.Outcome.class))))
                .check(CLASSES);
    }

    /** What carries a connection is the transports' affair: whoever is beside or above them asks them. */
    @Test
    void onlyTransportsKnowTheirSockets() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.iwarp.engine..")
                .and()
                .resideOutsideOfPackage("org.panamaverbs.iwarp.engine.transport")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(TcpSocket.class, TcpServer.class)
                .check(CLASSES);
    }

    @Test
    void coreWireAndShmKnowNoInputOutputThreadsClocksOrLocks() {
        noClasses()
                .that(not(belongToAnyOf(DirectDomain.class, DirectDomains.class).or(simpleName("PeerRegions"))))
                .and()
                .resideInAnyPackage(
                        "org.panamaverbs.iwarp.core..", "org.panamaverbs.iwarp.wire", "org.panamaverbs.iwarp.shm")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.net..",
                        "java.nio.channels..",
                        "java.nio.file..",
                        "java.util.concurrent",
                        "java.util.concurrent.locks..",
                        "java.util.logging..",
                        "java.security..",
                        "java.time..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.System\\$Logger.*")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }

    /** What others use stands as it was recorded with the last release. */
    @Test
    void keepsThePublicApi() {
        PublicApi.keeps(CLASSES, PublicApi.exported(), Path.of("src/test/public-api.txt"));
    }
}
